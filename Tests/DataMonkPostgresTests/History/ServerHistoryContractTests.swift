#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// The contract of all stores with a history, kept by the one on a server.
    @Suite struct ServerHistoryContractTests {
        private func contract() throws -> StoreContract {
            let url = try PostgresServer.shared.get().url()
            return StoreContract { directory, index in
                var settings = ServerStoreSettings()
                settings.tracksHistory = true
                return try ServerStore(
                    url, namespace: ServerNamespace(name: "history_\(UUID().uuidString)"), directory: directory,
                    index: index, settings: settings)
            }
        }

        @Test(arguments: StoreContract.historyRules) func `keeps the history`(rule: StoreContract.Rule) throws {
            try contract().check(rule)
        }

        @Test(arguments: ServerStoreContractTests.rules) func `keeps the contract`(rule: StoreContract.Rule) throws {
            try contract().check(rule)
        }
    }
#endif
