/// **Value.** A trigger: its name and the statement that creates it.
package struct TriggerSchema: Sendable {
    /// The name, as it stands in the store's schema.
    package let name: String
    /// The statement, as it stands in the store's schema.
    package let createStatement: String

    package init(name: String, createStatement: String) {
        self.name = name
        self.createStatement = createStatement
    }

    /// The statement's tokens: equal for two triggers that SQLite reads alike.
    var tokens: [String] { SQLTokens.all(in: createStatement) }

    /// A Boolean value indicating whether the statement creates a trigger of this name. SQLite goes by the statement, so a
    /// schema that was edited by hand may hold a trigger under another name than the one it is listed by.
    package var hasListedName: Bool { tokens.starts(with: SQLTokens.all(in: "CREATE TRIGGER \(name) AFTER")) }
}
