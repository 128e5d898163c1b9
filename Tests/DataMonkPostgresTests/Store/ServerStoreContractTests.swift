#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// The contract of all stores, kept by the one on a server.
    @Suite struct ServerStoreContractTests {
        /// The rules with values that PostgreSQL does not have: text with NUL, and dates between two microseconds.
        private static let exceptions = [
            "every value of aString is read as it was written", "every value of aDate is read as it was written",
        ]

        static let rules = StoreContract.rules.filter { !exceptions.contains($0.description) }

        @Test(arguments: rules) func `keeps the contract`(rule: StoreContract.Rule) throws {
            let url = try PostgresServer.shared.get().url()
            try StoreContract { directory, index in
                try ServerStore(
                    url, namespace: ServerNamespace(name: "contract_\(UUID().uuidString)"), directory: directory,
                    index: index)
            }
            .check(rule)
        }

        @Test func `the exceptions are rules`() {
            #expect(Self.rules.count == StoreContract.rules.count - Self.exceptions.count)
        }
    }
#endif
