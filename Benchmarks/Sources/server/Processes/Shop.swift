#if Postgres
    import BenchMessages
    import DataMonk

    /// **Value.** A store with counters and messages, in a schema of its own.
    struct Shop: Codable, Sendable {
        var url: String
        var schemaName: String
        var listens = true
        /// The seconds between two looks for commits of others.
        var pollInterval = 1.0

        func openStack() async throws -> Stack {
            var options = ServerStoreOptions()
            options.schemaName = schemaName
            options.listens = listens
            options.pollInterval = .seconds(pollInterval)
            let stack = try Stack(Counter.self, Message.self)
            try await stack.addServerStore(url, options: options)
            return stack
        }

        /// Creates counters, numbered from zero.
        func fill(_ count: Int) async throws {
            let stack = try await openStack()
            try await Context(stack: stack).update { update in
                for number in 0..<count { try update.create(Counter.self).number = number }
                try update.commit()
            }
            try await stack.closeStores()
        }

        /// The number of the last row of the store's log: of transactions that were committed.
        func lastNumber(_ connection: LibpqConnection) throws -> Int {
            try connection.number("SELECT coalesce(max(number), 0) FROM \"\(schemaName)\"._log")
        }

        func sum(_ connection: LibpqConnection) throws -> Int {
            try connection.number("SELECT sum(value) FROM \"\(schemaName)\".counter")
        }
    }
#endif
