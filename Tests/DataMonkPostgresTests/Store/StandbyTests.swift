#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// URLs that also lead to standbys.
    @Suite struct StandbyTests {
        private let standby: PostgresServer
        private let url: ServerURL
        private let namespace = ServerNamespace(name: "standby_\(UUID().uuidString)")

        init() throws {
            standby = try PostgresServer(.init(isStandby: true))
            var url = try PostgresServer.shared.get().url()
            url.hosts.insert(contentsOf: standby.url().hosts, at: 0)
            self.url = url
        }

        private func store(_ url: ServerURL) throws -> ServerStore {
            try ServerStore(
                url, namespace: namespace, directory: PersistentStoreCoordinator(model: ItemStore.model()).directory,
                index: 0)
        }

        @Test func `a store is on the primary, unless the URL says otherwise`() throws {
            let transaction = try store(url).beginTransaction()
            transaction.rollBack()
            transaction.end()
            var url = url
            url.parameters["target_session_attrs"] = "any"
            let error = #expect(throws: StoreError.self) { try store(url) }
            #expect(error?.code == .readOnly)
        }
    }
#endif
