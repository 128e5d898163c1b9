import DataMonkCore
import DataMonkTesting
import Testing

@Suite struct `The in-memory store` {
    @Test(arguments: StoreContract.rules) func `keeps the contract`(rule: StoreContract.Rule) throws {
        let contract = StoreContract { directory, index in InMemoryStore(directory: directory, index: index) }
        try contract.check(rule)
    }
}
