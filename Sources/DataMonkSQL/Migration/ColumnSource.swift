import DataMonkCore

/// **Value.** The source of a new column's values in the old rows.
enum ColumnSource: Hashable {
    /// No value.
    case null
    /// The value of an old column.
    case column(String)
    /// The value of an expression.
    case computed(SQLText)
    /// The position in an order that did not exist before: an expression over all rows at once, which UPDATE does not
    /// support.
    case numbered(SQLText)

    var text: SQLText {
        switch self {
        case .null: SQLText(compiled: "NULL")
        case .column(let name): SQLText(compiled: SQLIdentifier.quotedIfNeeded(name))
        case .computed(let text), .numbered(let text): text
        }
    }

    var isNumbered: Bool { if case .numbered = self { true } else { false } }

    /// Returns the filling of a column for the rows of several entities.
    ///
    /// - Parameters:
    ///   - fillings: The fillings, by the number of the old entity.
    ///   - numbers: The numbers of all entities whose rows go into the table.
    ///   - users: Returns the numbers of the entities that use an old column. It is NULL in all other rows.
    static func combined(
        _ fillings: [Int: ColumnSource], numbers: [Int], users: (String) -> Set<Int>
    ) -> ColumnSource {
        let groups = Dictionary(grouping: fillings.keys.sorted(), by: { fillings[$0] ?? .null })
            .filter { $0.key != .null }
        guard let first = groups.first else { return .null }
        if groups.count == 1 {
            let others = Set(numbers).subtracting(first.value)
            if others.isEmpty { return first.key }
            if case .column(let name) = first.key, users(name).isDisjoint(with: others) { return first.key }
        }
        var text = SQLText(compiled: "CASE")
        for (filling, members) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
            text.append(compiled: " WHEN Z_ENT IN (\(members.map(String.init).joined(separator: ", "))) THEN ")
            text.append(filling.text)
        }
        text.append(" END")
        return groups.keys.contains(where: \.isNumbered) ? .numbered(text) : .computed(text)
    }

    /// The new number of a row's entity. A damaged row has the number of no entity of its table, and keeps it: negated where
    /// the new version has an entity of that number, of which the row must not become an object.
    static func entityNumber(_ numbers: [(old: Int, new: Int)], taken: [Int]) -> ColumnSource {
        let cases = numbers.map { " WHEN Z_ENT = \($0.old) THEN \($0.new)" }.joined()
        let taken = taken.map(String.init).joined(separator: ", ")
        return .computed(
            SQLText(compiled: "CASE\(cases) WHEN Z_ENT IN (\(taken)) THEN -Z_ENT ELSE Z_ENT END"))
    }

    /// The new number for an old one in a column; NULL for one that is no more.
    static func renumbered(_ column: String, by numbers: [(old: Int, new: Int)]) -> ColumnSource {
        let cases = numbers.map { " WHEN \($0.old) THEN \($0.new)" }.joined()
        return numbers.isEmpty
            ? .null : .computed(SQLText(compiled: "CASE \(SQLIdentifier.quotedIfNeeded(column))\(cases) END"))
    }
}

extension SQLBinding {
    /// Creates the stored form of the default for objects that had no value.
    init(defaultOf attribute: AttributeDescription) { self.init(attribute.defaultValue, storedIn: attribute) }

    /// Creates the stored form of an attribute's value.
    init(_ value: ManagedValue, storedIn attribute: AttributeDescription) {
        switch (attribute.type, value) {
        case (.float, .double(let number)): self = .real(Double(Float(number)))
        case (.float, .int(let number)), (.double, .int(let number)): self = .real(Double(number))
        case (.binary, .data(let data)) where attribute.allowsExternalBinaryDataStorage: self = .blob([1] + data)
        case (_, let value): self.init(value)
        }
    }
}
