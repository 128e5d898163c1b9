import DataMonkCore
import DataMonkTesting
import Testing

@Suite struct `The in-memory store with a history` {
    @Test(arguments: StoreContract.rules + StoreContract.historyRules)
    func `keeps the contract`(rule: StoreContract.Rule) throws {
        let contract = StoreContract { directory, index in
            InMemoryStore(directory: directory, index: index, tracksHistory: true)
        }
        try contract.check(rule)
    }
}
