#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Migrations by a role that has limits for its statements.
    @Suite struct MigrationTimeoutTests {
        private func model(_ names: [String]) throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: [
                EntityDescription("Monk", properties: names.map { .attribute(AttributeDescription($0, .string)) })
            ])
        }

        @Test func `a migration takes as long as it does, whatever limits its role has`() throws {
            let server = try PostgresServer()
            let coordinator = PersistentStoreCoordinator(model: try model(["name"]))
            _ = try ServerStore(
                server.url(), namespace: ServerNamespace(name: "monks"), directory: coordinator.directory, index: 0)
            try server.run("ALTER ROLE postgres SET statement_timeout TO '1h'")
            // Earlier servers do not have it.
            if try server.connect().serverVersion >= 170_000 {
                try server.run("ALTER ROLE postgres SET transaction_timeout TO '1h'")
            }
            try server.run("CREATE TABLE public.limits (name text, value text)")
            try server.run(
                """
                CREATE FUNCTION public.note_limits() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN \
                INSERT INTO public.limits SELECT name, setting FROM pg_settings \
                WHERE name IN ('statement_timeout', 'transaction_timeout'); END $$
                """)
            try server.run("CREATE EVENT TRIGGER note ON ddl_command_end EXECUTE FUNCTION public.note_limits()")
            let plan = try ServerStoreOpener.migrate(
                server.publicURL, schemaName: "monks", to: model(["name", "rank"]), configuration: nil, discarding: [],
                settings: .patient(), isPlan: false, report: { Issue.record($0) })
            #expect(!plan.isEmpty)
            #expect(try server.run("SELECT DISTINCT value FROM public.limits").column(of: String.self) == ["0"])
        }
    }
#endif
