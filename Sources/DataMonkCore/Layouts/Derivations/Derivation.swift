import Foundation

/// **Value.** The source of a derived attribute's value.
///
/// Core Data's forms:
///
///     now()                                    the time of the save that wrote the object
///     canonical:(name)  uppercase:(name)       a form of an attribute of the object itself
///     author.name                              an attribute of the destination of a to-one
///     photos.@count     count:(photos)         the number of objects in a to-many
///     lines.price.@sum  sum:(lines.price)      an aggregate over them; also average, min and max
///
/// And one of DataMonk's own, of the objects that satisfy a condition:
///
///     SUBQUERY(photos, $p, $p.isNew == YES).@count    also @sum.price, @avg, @min and @max
///
/// The first two depend only on the object and are computed when it is saved. The others change with other objects, and
/// stores compute them.
package struct Derivation: Sendable {
    /// **Value.** The origin of the value.
    package enum Source: Sendable {
        /// The time of the save.
        case now
        /// Another attribute of the object, possibly transformed.
        case own(Entity.Attribute, Form)
        /// Other objects: one relationship, followed by an attribute, a count or an aggregate.
        case related(ResolvedPath)
    }

    /// **Value.** A transformation of a text.
    package enum Form: Sendable {
        /// The unchanged text.
        case itself
        /// The text without differences of case and diacritical marks.
        case canonical
        /// The text in upper case.
        case uppercase
        /// The text in lower case.
        case lowercase
    }

    /// The attribute that holds the value.
    package let attribute: Entity.Attribute
    /// The origin of the value.
    package let source: Source

    /// The condition of the related objects that count, over the keys of one of them; `nil` if all do.
    package let filter: DerivationFilter?

    /// A Boolean value indicating whether the value depends on other objects.
    package var isRelated: Bool { if case .related = source { true } else { false } }

    /// Returns the derivations of an entity's attributes, including inherited ones, in slot order.
    ///
    /// Those of a stored model that are of an unknown form are left out.
    ///
    /// - Throws: ``ModelError`` with every other derivation that is none of the known forms.
    package static func all(of entity: Entity) throws(ModelError) -> [Derivation] {
        var derivations: [Derivation] = []
        var problems: [ModelError.Problem] = []
        for attribute in entity.attributes where attribute.isDerived && !attribute.description.hasUnknownDerivation {
            do {
                derivations.append(try Derivation(attribute))
            } catch {
                problems.append(
                    ModelError.Problem(
                        kind: .invalidDerivation, entityName: attribute.entity.name, propertyName: attribute.name,
                        message: error.message))
            }
        }
        if !problems.isEmpty { throw ModelError(problems: problems) }
        return derivations
    }
}

extension Entity.Attribute {
    /// Indicates whether a migration can compute the value anew.
    var canBeRederived: Bool { isDerived && !description.hasUnknownDerivation }

    /// Indicates whether the value is derived from other objects, or in a way that is not known, so that a store computes it.
    package var isDerivedFromOthers: Bool {
        guard isDerived else { return false }
        if description.hasUnknownDerivation { return true }
        // Reason for try?: a derivation of an unknown form keeps every store from being opened.
        return (try? Derivation(self))?.isRelated ?? false
    }
}

extension Derivation {
    /// **Value.** The reason why an expression is not a derivation.
    struct Refusal: Error {
        let message: String
    }

    fileprivate init(_ attribute: Entity.Attribute) throws(Refusal) {
        self.attribute = attribute
        let text = (attribute.description.derivationExpression ?? "").filter { !$0.isWhitespace }
        if text.uppercased().hasPrefix("SUBQUERY(") {
            let (path, filter) = try DerivationFilter.parse(
                attribute.description.derivationExpression ?? "", of: attribute.entity)
            source = try Self.source(path: path, form: .itself, from: attribute.entity)
            self.filter = filter
            return
        }
        filter = nil
        guard let parenthesis = text.firstIndex(of: "("), text.hasSuffix(")") else {
            source = try Self.source(path: text, form: .itself, from: attribute.entity)
            return
        }
        let argument = String(text[text.index(after: parenthesis)...].dropLast())
        let name = text[..<parenthesis].trimmingCharacters(in: [":"])
        switch name {
        case "now" where argument.isEmpty: source = .now
        case "canonical": source = try Self.source(path: argument, form: .canonical, from: attribute.entity)
        case "uppercase": source = try Self.source(path: argument, form: .uppercase, from: attribute.entity)
        case "lowercase": source = try Self.source(path: argument, form: .lowercase, from: attribute.entity)
        case "count", "sum", "average", "min", "max":
            let operation = name == "average" ? "avg" : name
            source = try Self.source(path: "\(argument).@\(operation)", form: .itself, from: attribute.entity)
        default:
            throw Refusal(
                message: """
                    The function \(name) is not supported in derivations. Use now, canonical, uppercase, lowercase, \
                    count, sum, average, min or max.
                    """)
        }
    }

    private static func source(path text: String, form: Form, from entity: Entity) throws(Refusal) -> Source {
        let path: ResolvedPath
        do {
            path = try PathResolver(entity: entity).resolve(operatorFirst(text))
        } catch {
            throw Refusal(message: error.message)
        }
        let isText = path.attribute?.type == .string
        if form != .itself, !isText || !path.steps.isEmpty {
            throw Refusal(
                message:
                    "Case and diacritics can only be changed in text attributes of the entity itself. Name one."
            )
        }
        switch path.terminal {
        case .attribute(let attribute) where path.steps.isEmpty: return .own(attribute, form)
        case .attribute where path.steps.count == 1 && !path.isCollection: return .related(path)
        case .count where path.steps.count == 1: return .related(path)
        case .aggregate(_, let inner) where path.steps.count == 1 && inner.steps.isEmpty: return .related(path)
        default:
            throw Refusal(
                message: """
                    A derivation can follow only one relationship: to an attribute of a to-one, or to the count, sum, \
                    average, min or max of a to-many. Derive the value in two steps, or maintain it yourself.
                    """)
        }
    }

    /// Returns a path such as `lines.price.@sum`, as derivations are written, in the usual form `lines.@sum.price`.
    private static func operatorFirst(_ path: String) -> String {
        var names = path.split(separator: ".", omittingEmptySubsequences: false)
        guard names.count > 2, let last = names.last, last.hasPrefix("@"), last != "@count" else { return path }
        names.removeLast()
        names.insert(last, at: names.count - 1)
        return names.joined(separator: ".")
    }
}
