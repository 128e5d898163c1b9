#if Postgres
    import DataMonkCore
    import Foundation

    extension ServerTransaction {
        func beginHistoryTransaction(_ signature: HistorySignature?) { history?.begin(signature) }

        /// Deletes in parts, in the order of the numbers, so that two processes that do so wait for each other in one order.
        ///
        /// The last row stays, and gives the next one its number: it is marked, and deleted by a later call.
        func deleteHistory(before bound: HistoryBound) throws -> Int {
            if history == nil { return 0 }
            let tables = ServerHistoryTables(namespace: store.schema.namespace)
            let (condition, parameters): (String, PostgresParameters)
            switch bound {
            case .start: return 0
            case .transaction(let position):
                try requireNoLoss(of: position)
                (condition, parameters) = ("number < $1", try PostgresStatement("", values: position.number).parameters)
            case .date(let date):
                // Clocks differ: the transactions before the first one that stays, so that none is missing behind a token.
                condition = """
                    number < coalesce((SELECT min(number) FROM \(tables.transactions) WHERE written >= $1), \
                    (SELECT max(number) + 1 FROM \(tables.transactions)))
                    """
                parameters = try PostgresStatement("", values: date.inHistory).parameters
            }
            var (count, last): (Int, Int64) = (0, 0)
            while true {
                var statement = PostgresStatement(
                    """
                    SELECT number, identifier, change_count, is_deleted, \
                    number = (SELECT max(number) FROM \(tables.transactions)) FROM \(tables.transactions) \
                    WHERE \(condition) AND number > $2 ORDER BY number LIMIT \(ServerHistoryPart.size) FOR UPDATE
                    """, parameters)
                try statement.parameters.append(last)
                let result = try run([statement])[0]
                count += try delete(result, in: tables)
                if result.rowCount < ServerHistoryPart.size { return count }
                last = try result.required(row: result.rowCount - 1, column: 0)
            }
        }

        /// Throws if the server has lost a transaction, and not deleted it: those before it may be others than the caller knows.
        private func requireNoLoss(of position: HistoryPosition) throws {
            guard let identifier = position.identifier else { return }
            let table = ServerHistoryTables(namespace: store.schema.namespace).transactions
            let isKnown = try PostgresStatement(
                """
                SELECT coalesce((SELECT identifier = $2 FROM \(table) WHERE number = $1), \
                $1 < (SELECT max(number) FROM \(table)), false)
                """, values: position.number, identifier)
            if try !run([isKnown])[0].required(Bool.self, row: 0, column: 0) {
                throw StoreError.historyTokenExpired(nil)
            }
        }

        /// Deletes the transactions in a result, whose rows are locked, with their changes. Returns the number of those that were
        /// not deleted before.
        private func delete(_ result: PostgresResult, in tables: ServerHistoryTables) throws -> Int {
            var transactions: [(identifier: UUID, changeCount: Int64)] = []
            var (removed, marked): ([Int64], [Int64]) = ([], [])
            for row in 0..<result.rowCount {
                let number: Int64 = try result.required(row: row, column: 0)
                let isMarked: Bool = try result.required(row: row, column: 3)
                let isLast: Bool = try result.required(row: row, column: 4)
                if isLast { marked.append(number) } else { removed.append(number) }
                if isMarked { continue }
                transactions.append(
                    (try result.required(row: row, column: 1), try result.required(row: row, column: 2)))
            }
            for part in ServerHistoryPart.parts(of: transactions) {
                try run([
                    PostgresStatement(
                        """
                        DELETE FROM \(tables.changes) AS changes USING \(ServerHistoryPart.source) \
                        WHERE \(ServerHistoryPart.condition)
                        """, part.parameters)
                ])
            }
            try run([
                .prepared("DELETE FROM \(tables.transactions) WHERE number = ANY ($1)", ids: removed),
                .prepared("UPDATE \(tables.transactions) SET is_deleted = true WHERE number = ANY ($1)", ids: marked),
            ])
            return transactions.count
        }
    }
#endif
