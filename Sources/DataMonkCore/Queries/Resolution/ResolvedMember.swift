import Foundation

/// **Value.** A value inside the JSON of a codable attribute, in a condition.
///
/// Only the data knows the type of such a value. A comparison says which type it looks for, by its other side, and values of
/// other types are as `nil` for it. Anything else, such as a column or a sort term, takes the value as it is.
package struct ResolvedMember: Sendable, Hashable {
    /// **Value.** The part of the value that is meant.
    package enum Form: Sendable {
        /// The value.
        case value
        /// Each element of an array or value of an object; any other value itself.
        case elements
        /// The number of elements of an array, and 0 for any other value.
        case count
    }

    package let attribute: Entity.Attribute
    /// The names that lead to the value; none for the whole.
    package let names: [String]
    package var form = Form.value
    /// The type of the values that count: `.floating` for numbers, `.string`, `.boolean`, `.date` for a number of seconds,
    /// or `.json` for all.
    package var wanted = ValueKind.json

    /// The kind of the value.
    var kind: ValueKind { form == .count ? .integer : wanted }

    /// A Boolean value indicating whether this is the value of the attribute itself.
    var isWhole: Bool { names.isEmpty && form == .value }

    /// The path as names.
    var name: String {
        ([attribute.keyPath] + names + (form == .count ? ["@count"] : [])).joined(separator: ".")
    }
}

extension ResolvedPath {
    /// Creates a path to the same member in another form, or with values of one type.
    private func replacing(_ member: ResolvedMember) -> ResolvedPath {
        ResolvedPath(entity: entity, steps: steps, terminal: .member(member), start: start)
    }

    /// The member, or `nil` if the path ends in something else.
    package var member: ResolvedMember? { if case .member(let member) = terminal { member } else { nil } }

    /// A Boolean value indicating whether the value is the text of a codable attribute.
    var holdsJSON: Bool { attribute?.isCodable ?? false }

    /// The path to the elements of a member, or `nil` if it does not end in one.
    fileprivate var elements: ResolvedPath? {
        guard var member, member.form == .value else { return nil }
        member.form = .elements
        return replacing(member)
    }

    /// The path to the attribute's text, or `nil` if it does not end in the whole value of a codable attribute.
    fileprivate var stored: ResolvedPath? {
        guard let member, member.isWhole else { return nil }
        return ResolvedPath(entity: entity, steps: steps, terminal: .attribute(member.attribute), start: start)
    }

    /// Returns the path for values of a type, or `nil` if it does not end in a member whose type is open.
    fileprivate func wanting(_ kind: ValueKind) -> ResolvedPath? {
        guard var member, self.kind == .json else { return nil }
        member.wanted = kind
        return replacing(member)
    }
}

extension ResolvedExpression {
    /// A Boolean value indicating whether only the data knows the type of the value.
    var isJSON: Bool { kind == .json }

    /// The elements of a value in JSON, for ANY, ALL and NONE; any other expression itself.
    var elementwise: ResolvedExpression { path?.elements.map { .path($0) } ?? self }

    /// The text of a codable attribute, for its whole value; any other expression itself.
    var stored: ResolvedExpression { path?.stored.map { .path($0) } ?? self }

    /// Returns the expression for values of a type: itself, unless it is a value in JSON.
    func wanting(_ kind: ValueKind) -> ResolvedExpression { path?.wanting(kind).map { .path($0) } ?? self }
}

extension ValueKind {
    /// The kind of the values in JSON that are comparable with values of this kind, or `nil` if JSON has none.
    var inJSON: ValueKind? {
        switch self {
        case .boolean: .boolean
        case .integer, .floating(isSingle: false), .decimal: .floating(isSingle: false)
        case .string: .string
        case .date: .date
        // JSON has the digits of a Float, not the number that they stand for.
        case .floating(isSingle: true): nil
        case .data, .uuid, .url, .object, .dynamic, .opaque, .json: nil
        }
    }
}

extension ManagedValue {
    /// The constant in the form that it has in JSON, as ``CodableText`` writes it, and its kind; `nil` for a constant that
    /// has no such form.
    var inJSON: (kind: ValueKind, value: ManagedValue)? {
        switch self {
        case .bool: (.boolean, self)
        case .int, .double: (.floating(isSingle: false), self)
        case .decimal(let number): (.floating(isSingle: false), .double(number.doubleValue))
        case .string: (.string, self)
        case .date: (.date, self)
        case .data(let data): (.string, .string(data.base64EncodedString()))
        case .uuid(let uuid): (.string, .string(uuid.uuidString))
        case .url(let url): (.string, .string(url.absoluteString))
        case .list(let values): Self.inJSON(values)
        case .null, .object, .dictionary: nil
        }
    }

    private static func inJSON(_ values: [ManagedValue]) -> (kind: ValueKind, value: ManagedValue)? {
        let elements = values.compactMap(\.inJSON)
        guard elements.count == values.count else { return nil }
        guard let first = elements.first else { return (.string, .list([])) }
        guard elements.allSatisfy({ $0.kind == first.kind }) else { return nil }
        return (first.kind, .list(elements.map(\.value)))
    }
}
