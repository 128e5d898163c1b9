#if Macros
    import DataMonk
    import DataMonkCore
    import Foundation
    import Testing

    /// What the four spellings of a query run in a file.
    @Suite("Statements of the spellings") @MainActor struct SpellingStatementTests {
        private let folder: TemporaryFolder
        private let statements = Locked<[String]>([])
        private let World: MainContext

        init() throws {
            folder = try TemporaryFolder()
            let stack = try Stack(
                Abbey.Monk.self, trace: { [statements] sql in statements.withLock { $0.append(sql) } })
            try stack.addDatabaseStore(fileURL: folder.file("Abbey.sqlite"))
            World = try MainContext(stack: stack)
        }

        /// The SELECTs that a call runs.
        private func selects(_ call: () throws -> Void) rethrows -> [String] {
            statements.withLock { $0 = [] }
            try call()
            return statements.withLock { $0 }.filter { $0.hasPrefix("SELECT") && $0.contains("ZBEING") }
        }

        @Test func `the four spellings run one statement`() throws {
            let keys = try selects {
                _ = try World.fetchAllID(
                    Abbey.Monk.self, %"age" >= 18 && %"teacher.nick" == "old", orderBy: .Ascending("name"))
            }
            let typed = try selects {
                _ = try World.fetchAllID(Abbey.Monk.self, orderBy: .ascending(\.name)) {
                    $0.age >= 18 && $0.teacher.nick == "old"
                }
            }
            let format = try selects {
                _ = try World.fetchAllID(
                    Abbey.Monk.self, .Where("age >= %d AND teacher.nick == %@", 18, "old"), orderBy: .Ascending("name"))
            }
            let predicate = try selects {
                _ = try World.fetchAllID(
                    Abbey.Monk.self, .Predicate(#Predicate<Abbey.Monk> { $0.age >= 18 && $0.teacher?.nick == "old" }),
                    orderBy: .Ascending("name"))
            }
            #expect(
                keys == [
                    "SELECT t0.Z_PK, t0.Z_ENT FROM ZBEING t0 LEFT JOIN ZBEING t1 ON t1.Z_PK = t0.ZTEACHER "
                        + "WHERE t0.Z_ENT = 2 AND (t0.ZAGE >= ? AND t1.ZNICK = ?) ORDER BY t0.ZNAME, t0.Z_PK"
                ])
            #expect(typed == keys && format == keys && predicate == keys)
        }

        @Test func `columns and groups`() throws {
            let rows = try selects {
                _ = try World.query(
                    Abbey.Monk.self, .select(\.rank), .average(\.age), .count, orderBy: .descending(.average(\.age)),
                    groupBy: .key(\.rank), having: { $0[.count] > 1 }, where: { $0.age >= 18 })
            }
            #expect(
                rows == [
                    "SELECT t0.ZRANK, AVG(t0.ZAGE), COUNT(*) FROM ZBEING t0 WHERE t0.Z_ENT = 2 AND t0.ZAGE >= ? "
                        + "GROUP BY t0.ZRANK HAVING COUNT(*) > ? ORDER BY AVG(t0.ZAGE) DESC"
                ])
        }

        @Test func `a closure over a to-many`() throws {
            let any = try selects { _ = try World.fetchAllID(Abbey.Monk.self) { $0.pupils.any { $0.age > 40 } } }
            #expect(
                any == [
                    "SELECT t0.Z_PK, t0.Z_ENT FROM ZBEING t0 WHERE t0.Z_ENT = 2 AND "
                        + "(SELECT COUNT(*) FROM ZBEING t1 WHERE t1.ZTEACHER = t0.Z_PK AND t1.ZAGE > ?) > ?"
                ])
            let predicate = try selects {
                _ = try World.fetchAllID(
                    Abbey.Monk.self, .Predicate(#Predicate<Abbey.Monk> { $0.pupils.contains { $0.age > 40 } }))
            }
            #expect(predicate == any)
        }
    }
#endif
