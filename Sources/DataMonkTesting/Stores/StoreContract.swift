package import DataMonkCore

/// **Value.** What every store must do, whatever it keeps its rows in: a suite to be run over each.
///
///     @Test(arguments: StoreContract.rules) func `the in-memory store keeps the contract`(rule: StoreContract.Rule) throws {
///         let contract = StoreContract { directory, index in InMemoryStore(directory: directory, index: index) }
///         try contract.check(rule)
///     }
///
/// Each rule gets an empty store of its own and throws a ``StoreContractViolation`` that says what was expected.
package struct StoreContract: Sendable {
    /// **Value.** One thing that every store must do.
    package struct Rule: Sendable, CustomStringConvertible {
        /// The rule as a sentence.
        package let description: String
        let check: @Sendable (ContractStage) throws -> Void

        init(_ description: String, _ check: @escaping @Sendable (ContractStage) throws -> Void) {
            self.description = description
            self.check = check
        }
    }

    /// Makes an empty store for a directory's model, at a place among the coordinator's stores.
    package typealias Factory = @Sendable (ObjectDirectory, Int) throws -> any PersistentStore

    private let makeStore: Factory

    /// - Parameter makeStore: makes an empty store.
    package init(makeStore: @escaping Factory) { self.makeStore = makeStore }

    /// Every rule.
    package static let rules: [Rule] =
        transactionRules + conflictRules + valueRules + relationshipRules + linkRules + fetchingRules
        + batchRules + referenceRules

    /// Checks one rule on a new store.
    ///
    /// - Throws: ``StoreContractViolation``, or what the store threw where it should not have.
    package func check(_ rule: Rule) throws {
        let stage = try ContractStage(makeStore: makeStore)
        try rule.check(stage)
        try stage.coordinator.close()
    }
}

/// **Value.** A rule that a store broke.
package struct StoreContractViolation: Error, CustomStringConvertible {
    /// What was expected, and what was found.
    package let description: String
}

/// Throws unless the two are equal.
func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ subject: String) throws {
    if found == expected { return }
    throw StoreContractViolation(description: "\(subject): expected \(expected), found \(found)")
}

/// Throws unless the condition holds.
func expect(_ condition: Bool, _ subject: String) throws {
    if !condition { throw StoreContractViolation(description: subject) }
}
