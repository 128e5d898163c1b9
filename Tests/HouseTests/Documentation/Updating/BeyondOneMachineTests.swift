#if Macros
    #if Postgres
        import DataMonk

        // The snippets on stores on servers. They are compiled; there are no such servers.

        func openTreasury() async throws -> Treasury {
            let stack = try Stack(Wallet.self)
            try await stack.addServerStore("postgresql://app:secret@db.example.com/shop?sslmode=verify-full")
            let treasury = Treasury(context: try Context(stack: stack))
            return treasury
        }

        func planTreasury() async throws {
            let stack = try Stack(Wallet.self)
            let plan = try await stack.migrationPlan(forServerStore: "postgresql://owner@db.example.com/shop")
            for step in plan.steps { print(step) }
            if !plan.isAdditive { print("Replace the processes of the version before.") }
        }

        func readFromStandbys(_ stack: Stack) async throws {
            try await stack.addServerStore(
                "postgresql://app:secret@db1.example.com,db2.example.com/shop?target_session_attrs=prefer-standby")
        }
    #endif
#endif
