import DataMonkCore
import DataMonkSQLite
import DataMonkTesting
import Testing

@Suite struct `The SQLite store` {
    @Test(arguments: StoreContract.rules) func `keeps the contract`(rule: StoreContract.Rule) throws {
        let directory = try TemporaryDirectory()
        let contract = StoreContract { model, index in
            try SQLiteStore.open(
                directory.store, configuration: nil, directory: model, index: index, durability: .normal)
        }
        try contract.check(rule)
    }
}
