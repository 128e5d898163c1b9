import DataMonkCore
import DataMonkSQLite
import DataMonkTesting
import Testing

@Suite struct `The SQLite store with a history` {
    private func contract(_ directory: TemporaryDirectory) -> StoreContract {
        StoreContract { model, index in
            try SQLiteStore.open(
                directory.store, configuration: nil, directory: model, index: index, durability: .normal,
                tracksHistory: true)
        }
    }

    @Test(arguments: StoreContract.rules) func `keeps the contract`(rule: StoreContract.Rule) throws {
        try contract(TemporaryDirectory()).check(rule)
    }

    @Test(arguments: StoreContract.historyRules) func `keeps the history`(rule: StoreContract.Rule) throws {
        try contract(TemporaryDirectory()).check(rule)
    }
}
