#if Postgres
    import Foundation

    /// **Value.** Changes of consecutive transactions that one statement reads or deletes.
    struct ServerHistoryPart {
        /// The positions of the transactions in their list.
        private(set) var positions: [Int] = []
        private var identifiers: [UUID] = []
        private var starts: [Int64] = []
        private var ends: [Int64] = []

        /// The number of changes, and of transactions, that a statement has at most.
        static let size = 10_000

        /// Returns the parts of transactions with a number of changes each. A large one has several parts.
        static func parts(of transactions: [(identifier: UUID, changeCount: Int64)]) -> [Self] {
            var parts: [Self] = []
            var part = Self()
            var room = Int64(size)
            for (position, transaction) in transactions.enumerated() {
                var start: Int64 = 0
                while start < transaction.changeCount {
                    let end = min(transaction.changeCount, start + room)
                    part.positions.append(position)
                    part.identifiers.append(transaction.identifier)
                    part.starts.append(start)
                    part.ends.append(end)
                    room -= end - start
                    start = end
                    guard room == 0 else { continue }
                    parts.append(part)
                    (part, room) = (Self(), Int64(size))
                }
            }
            return part.positions.isEmpty ? parts : parts + [part]
        }

        /// The arrays that `source` stands for.
        var parameters: PostgresParameters {
            get throws(PostgresValueError) {
                var parameters = PostgresParameters()
                try parameters.append(array: identifiers)
                try parameters.append(array: starts)
                try parameters.append(array: ends)
                return parameters
            }
        }

        /// A table with a row for each transaction, with its position among those of the part, from 1.
        static let source = "unnest($1, $2, $3) WITH ORDINALITY AS part (identifier, first, behind, position)"
        /// The condition for the changes, in the table `changes`.
        static let condition =
            "changes.transaction_id = part.identifier AND changes.place >= part.first AND changes.place < part.behind"
    }
#endif
