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
            #expect(keys == ["?"])
            #expect(typed == keys && format == keys && predicate == keys)
        }

        @Test func `columns and groups`() throws {
            let rows = try selects {
                _ = try World.query(
                    Abbey.Monk.self, .select(\.rank), .average(\.age), .count, orderBy: .descending(.average(\.age)),
                    groupBy: .key(\.rank), having: { $0[.count] > 1 }, where: { $0.age >= 18 })
            }
            #expect(rows == ["?"])
        }

        @Test func `a closure over a to-many`() throws {
            let any = try selects { _ = try World.fetchAllID(Abbey.Monk.self) { $0.pupils.any { $0.age > 40 } } }
            #expect(any == ["?"])
            let predicate = try selects {
                _ = try World.fetchAllID(
                    Abbey.Monk.self, .Predicate(#Predicate<Abbey.Monk> { $0.pupils.contains { $0.age > 40 } }))
            }
            #expect(predicate == any)
        }
    }
#endif
