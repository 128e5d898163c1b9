#if Macros
    #if Postgres
        import DataMonk

        /// The snippet on stores on servers. It is compiled; there is no such server.
        func openTreasury() async throws -> Treasury {
            let stack = try Stack(Wallet.self)
            try await stack.addServerStore("postgresql://app:secret@db.example.com/shop?sslmode=verify-full")
            let treasury = Treasury(context: try Context(stack: stack))
            return treasury
        }
    #endif
#endif
