#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Testing

    @testable import DataMonkPostgres

    /// Statements that are joined before they are sent.
    @Suite struct ServerWriteTests {
        private static func key(_ number: Int64, entity: Int = 0) -> ObjectKey {
            ObjectKey(store: 0, entity: entity, primaryKey: number)
        }

        private static func write(_ sql: String, _ keys: [ObjectKey]) throws -> ServerWrite {
            var parameters = PostgresParameters()
            try parameters.append(array: keys.map(\.primaryKey))
            return ServerWrite(.prepared(sql, parameters), ofRows: keys)
        }

        /// The texts and ids of joined statements, from those of others; no ids for a statement that is not of rows.
        private func joined(_ writes: [(String, [Int64]?)]) throws -> [String] {
            let all = try writes.map { sql, ids in
                try ids.map { try Self.write(sql, $0.map { Self.key($0) }) } ?? ServerWrite(PostgresStatement(sql))
            }
            return all.joined().map { write in
                "\(write.statement.sql) \(write.keys.map { "\($0.map(\.primaryKey))" } ?? "-")"
            }
        }

        @Test func `statements of different rows are joined`() throws {
            #expect(try joined([("a", [1]), ("a", [2, 3]), ("a", [4])]) == ["a [1, 2, 3, 4]"])
            #expect(try joined([("a", [1]), ("b", [2]), ("a", [3]), ("b", [4])]) == ["a [1, 3]", "b [2, 4]"])
            #expect(try joined([("a", [1])]) == ["a [1]"])
            #expect(try joined([]) == [])
        }

        @Test func `statements of the same row stay in their order`() throws {
            #expect(try joined([("a", [1]), ("a", [1]), ("a", [2])]) == ["a [1]", "a [1, 2]"])
            #expect(try joined([("a", [1]), ("b", [1]), ("a", [2])]) == ["a [1]", "b [1]", "a [2]"])
            let other = try [Self.key(1), Self.key(1, entity: 1), Self.key(2)].map { try Self.write("a", [$0]) }
            #expect(other.joined().count == 1)
        }

        @Test func `nothing moves past a statement that is not of rows`() throws {
            #expect(try joined([("a", [1]), ("x", nil), ("a", [2]), ("a", [3])]) == ["a [1]", "x -", "a [2, 3]"])
            #expect(try joined([("x", nil), ("x", nil)]) == ["x -", "x -"])
        }

        @Test(arguments: 0..<20 as Range<UInt64>)
        func `each row, and each other statement, sees the same order`(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let writes: [(String, [Int64]?)] = (0..<40).map { _ in
                if Int.random(in: 0..<8, using: &random) == 0 { return ("x", nil) }
                let ids = Set((0..<3).map { _ in Int64.random(in: 0..<30, using: &random) })
                return (["a", "b"].randomElement(using: &random) ?? "a", Array(ids))
            }
            let all = try writes.map { sql, ids in
                try ids.map { try Self.write(sql, $0.map { Self.key($0) }) } ?? ServerWrite(PostgresStatement(sql))
            }
            for row in 0..<30 as Range<Int64> {
                func seen(by row: Int64, _ writes: [ServerWrite]) -> [String] {
                    writes.filter { $0.keys?.contains(Self.key(row)) ?? true }.map(\.statement.sql)
                }
                #expect(seen(by: row, all.joined()) == seen(by: row, all))
            }
            #expect(all.joined().count < all.count)
        }
    }
#endif
