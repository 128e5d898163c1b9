package import DataMonkCore

/// **Value.** The contract of every store, whatever it keeps its rows in: a suite to run against each store.
///
///     @Test(arguments: StoreContract.rules) func `the in-memory store keeps the contract`(rule: StoreContract.Rule) throws {
///         let contract = StoreContract { directory, index in InMemoryStore(directory: directory, index: index) }
///         try contract.check(rule)
///     }
/// Each rule gets an empty store of its own, and throws a ``StoreContractViolation`` that describes the expectation.
package struct StoreContract: Sendable {
    /// **Value.** One requirement on every store.
    package struct Rule: Sendable, CustomStringConvertible {
        /// The rule as a sentence.
        package let description: String
        let check: @Sendable (ContractStage) throws -> Void

        init(_ description: String, _ check: @escaping @Sendable (ContractStage) throws -> Void) {
            self.description = description
            self.check = check
        }
    }

    /// Creates an empty store for a directory's model, with its index among the coordinator's stores.
    package typealias Factory = @Sendable (ObjectDirectory, Int) throws -> any PersistentStore

    private let makeStore: Factory

    /// Creates a contract.
    ///
    /// - Parameter makeStore: Creates an empty store.
    package init(makeStore: @escaping Factory) { self.makeStore = makeStore }

    /// Every rule.
    package static let rules: [Rule] =
        transactionRules + conflictRules + valueRules + relationshipRules + linkRules + fetchingRules
        + batchRules + referenceRules

    /// Checks one rule against a new store.
    ///
    /// - Throws: ``StoreContractViolation``, or an unexpected error of the store.
    package func check(_ rule: Rule) throws {
        let stage = try ContractStage(makeStore: makeStore)
        try rule.check(stage)
        try stage.coordinator.close()
    }
}

/// **Value.** A violation of a rule by a store.
package struct StoreContractViolation: Error, CustomStringConvertible {
    /// The expected and the actual result.
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
