/// **Value.** A piece of SQL under construction: its text and the constants of its parameters, always in step.
struct SQLText: Hashable {
    private(set) var text = ""
    private(set) var bindings: [SQLBinding] = []

    init() {}

    /// Creates a text that has memory for so many bytes.
    init(capacity: Int) { text.reserveCapacity(capacity) }

    /// Creates text from SQL that was composed here, without constants.
    init(compiled sql: String) { text = sql }

    /// Appends SQL that comes from here or from the schema, never from a user.
    mutating func append(_ sql: SQLFragment) { text += sql.text }

    /// Appends an identifier, an alias or SQL that was composed here.
    mutating func append(compiled sql: String) { text += sql }

    mutating func append(_ other: SQLText) {
        text += other.text
        bindings += other.bindings
    }

    /// Appends a parameter with its constant.
    mutating func bind(_ binding: SQLBinding) {
        text += "?"
        bindings.append(binding)
    }

    /// Appends parameters with their constants, separated by commas.
    mutating func bind(_ list: [SQLBinding]) {
        for (index, binding) in list.enumerated() {
            if index > 0 { text += ", " }
            bind(binding)
        }
    }
}

/// **Value.** A piece of SQL that stands in the source, as a literal: a text of somebody else does not convert to it by itself.
struct SQLFragment: ExpressibleByStringLiteral, Sendable {
    fileprivate let text: String

    init(stringLiteral text: String) { self.text = text }
}
