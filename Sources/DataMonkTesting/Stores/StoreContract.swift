public import DataMonkCore
import Foundation

/// **Value.** The contract of every store, whatever it keeps its data in: a suite to run against each store.
///
///     @Test(arguments: StoreContract.rules) func `keeps the contract`(rule: StoreContract.Rule) throws {
///         try StoreContract(atomicStore: { Notes(file: newFile()) }).check(rule)
///     }
/// Each rule gets an empty store of its own, and throws a ``StoreContractViolation`` that describes the expectation. The model
/// has attributes of every type but composite ones, and relationships of every shape.
public struct StoreContract: Sendable {
    /// **Value.** One requirement on every store.
    public struct Rule: Sendable, CustomStringConvertible {
        /// The rule as a sentence.
        public let description: String
        let check: @Sendable (ContractStage) throws -> Void

        init(_ description: String, _ check: @escaping @Sendable (ContractStage) throws -> Void) {
            self.description = description
            self.check = check
        }
    }

    /// Creates an empty store for a directory's model, with its index among the coordinator's stores.
    package typealias Factory = @Sendable (ObjectDirectory, Int) throws -> any PersistentStore

    private let makeStore: Factory
    /// Creates the atomic store of a rule; `nil` for other stores.
    private let makeAtomicStore: (@Sendable () throws -> any AtomicStore)?

    /// Creates a contract.
    ///
    /// - Parameter makeStore: Creates an empty store.
    package init(makeStore: @escaping Factory) {
        self.makeStore = makeStore
        makeAtomicStore = nil
    }

    /// Creates the contract of an atomic store. After each rule, what the store loads must be what it has saved.
    ///
    /// - Parameter atomicStore: Creates a store without contents, at a place of its own.
    public init(atomicStore: @escaping @Sendable () throws -> any AtomicStore) {
        makeStore = { try InMemoryStore(atomicStore(), directory: $0, index: $1) }
        makeAtomicStore = atomicStore
    }

    /// Creates the contract of an incremental store.
    ///
    /// - Parameter incrementalStore: Creates a store without contents, at a place of its own.
    public init(incrementalStore: @escaping @Sendable () throws -> any IncrementalStore) {
        self.init { try InMemoryStore(incrementalStore(), directory: $0, index: $1) }
    }

    /// Every rule.
    public static let rules: [Rule] =
        transactionRules + conflictRules + valueRules + relationshipRules + linkRules + fetchingRules
        + batchRules + referenceRules

    /// Checks one rule against a new store.
    ///
    /// - Throws: ``StoreContractViolation``, or an unexpected error of the store.
    public func check(_ rule: Rule) throws {
        guard let makeAtomicStore else { return try check(rule, makeStore: makeStore) {} }
        let store = RecordedAtomicStore(try makeAtomicStore())
        try check(rule) { directory, index in
            try InMemoryStore(store, directory: directory, index: index)
        } afterwards: {
            try store.requireSameContents(as: ContractModel.make())
        }
    }

    private func check(_ rule: Rule, makeStore: @escaping Factory, afterwards: () throws -> Void) throws {
        let stage = try ContractStage(makeStore: makeStore)
        try rule.check(stage)
        try afterwards()
        try stage.coordinator.close()
    }
}

/// **Value.** A violation of a rule by a store.
public struct StoreContractViolation: DataMonkError {
    /// The expected and the actual result.
    public let message: String

    init(description: String) { message = description }
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
