import DataMonkCore

/// **Value.** A derived attribute that a file may have triggers for which this library cannot write: Core Data's for `now()`,
/// `canonical:` and the like, which are computed by us when an object is saved, and those of derivations of unknown forms.
///
/// Such a trigger may compute anything, but not write anything. It may run if it can write nothing but the
/// attribute:
///
/// ```
/// CREATE TRIGGER Z_DA_ZNOTE_Note_changed_SOURCE_UPDATE AFTER UPDATE OF … ON … FOR EACH ROW WHEN … BEGIN
///     UPDATE ZNOTE SET ZCHANGED = … WHERE …;     the attribute's table, and its column alone
///     SELECT …;                                  reads, and tells the writer
/// END
/// ```
package struct ForeignDerivation: Sendable, Hashable {
    /// The name of the entity that declares the attribute.
    package let entityName: String
    package let attributeName: String
    /// A Boolean value indicating whether only the file's triggers can compute the value.
    package let isUnknown: Bool
    private let table: String
    private let column: String
    private let entityNumbers: ClosedRange<Int>
    private let expression: String?
    /// The column of the attribute of the same object that it is derived from.
    private let source: String?

    /// Nil for an attribute that the store does not keep, or that has triggers of ours.
    init?(of attribute: Entity.Attribute, in entity: EntitySchema) {
        guard attribute.isDerived, case .value(let column) = entity.storage[attribute.slot] else { return nil }
        isUnknown = attribute.description.hasUnknownDerivation
        // Reason for try?: derivations that are no derivation keep the schema from being made.
        let derivation = isUnknown ? nil : try? Derivation.all(of: entity.entity).first { $0.attribute === attribute }
        if !isUnknown, derivation?.isRelated != false { return nil }
        entityName = entity.entity.name
        attributeName = attribute.name
        table = entity.table.identifier
        self.column = column.identifier
        entityNumbers = entity.familyNumbers
        expression = attribute.description.derivationExpression
        if case .own(let own, _) = derivation?.source, case .value(let place) = entity.storage[own.slot] {
            source = place.identifier
        } else {
            source = nil
        }
    }

    /// A Boolean value indicating whether a trigger keeps this attribute, and can write nothing else.
    package func permits(_ trigger: TriggerSchema) -> Bool {
        guard trigger.name.hasPrefix("Z_DA_Z"), trigger.name.contains("_\(entityName)_\(attributeName)_"),
            trigger.hasListedName, SQLTokens.isPlain(trigger.createStatement)
        else { return false }
        let tokens = trigger.tokens
        guard let begin = tokens.firstIndex(of: "BEGIN"), tokens.last == "END",
            Self.forbidden.isDisjoint(with: tokens)
        else { return false }
        let statements = tokens[(begin + 1)..<(tokens.count - 1)].split(separator: ";")
        return !statements.isEmpty && statements.allSatisfy(isHarmless)
    }

    /// RAISE refuses or skips other writes, and WITH is the only loop in SQL.
    private static let forbidden: Set = ["RAISE", "WITH"]

    private func isHarmless(_ statement: ArraySlice<String>) -> Bool {
        if statement.first == "SELECT" { return true }
        guard statement.starts(with: SQLTokens.all(in: "UPDATE \(table) SET \(column) =")) else { return false }
        // A comma outside parentheses is followed by another column.
        var depth = 0
        for token in statement {
            if token == "(" { depth += 1 }
            if token == ")" { depth -= 1 }
            if token == ",", depth == 0 { return false }
        }
        return true
    }
}
