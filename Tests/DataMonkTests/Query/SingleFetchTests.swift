#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    @Suite("One object that may be missing") @MainActor struct SingleFetchTests {
        @Test func `the first object of an order, or nil`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.first(Abbey.Monk.self, %"name" == "Wei")?.age == 60)
                #expect(try World.first(Abbey.Monk.self, %"name" == "Nobody") == nil)
                #expect(try World.first(Abbey.Monk.self, orderBy: .Descending("age"))?.name == "Wei")
                #expect(try World.first(Abbey.Monk.self, orderBy: .ascending(\.age))?.name == "Émile")
                #expect(
                    try World.first(Abbey.Monk.self, %"age" == 30, orderBy: .descending(\.name))?.name == "Chan")
                #expect(try World.first(Abbey.Monk.self) { $0.teacher.name == "Wei" && $0.age > 18 }?.name == "Bo")
                #expect(try World.first(Abbey.Monk.self, orderBy: .ascending(\.name)) { $0.age > 30 }?.name == "Wei")
                #expect(try World.first(Abbey.Monk.self) { $0.age > 100 } == nil)
                #expect(try World.first(Abbey.Temple.self)?.title == "White Horse")
            }
        }

        @Test func `options skip and narrow, and a limit of theirs changes nothing`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let order = OrderBy.Ascending("name")
                #expect(try World.first(Abbey.Monk.self, orderBy: order, options: .Offset(1))?.name == "Chan")
                #expect(try World.first(Abbey.Monk.self, orderBy: order, options: .Offset(4)) == nil)
                #expect(try World.first(Abbey.Monk.self, orderBy: order, options: .Limit(3))?.name == "Bo")
                #expect(try World.first(Abbey.Being.self, orderBy: order)?.name == "Bo")
                #expect(try World.first(Abbey.Being.self, options: .NoSubEntities) == nil)
                #expect(try !World.exists(Abbey.Being.self, options: .NoSubEntities))
                #expect(try World.exists(Abbey.Monk.self, options: .Offset(3)))
                #expect(try !World.exists(Abbey.Monk.self, options: .Offset(4)))
            }
        }

        @Test func `whether there is one`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.exists(Abbey.Monk.self))
                #expect(try World.exists(Abbey.Monk.self, %"name" == "Wei"))
                #expect(try !World.exists(Abbey.Monk.self, %"name" == "Nobody"))
                #expect(try World.exists(Abbey.Monk.self) { $0.pupils.count == 2 })
                #expect(try !World.exists(Abbey.Monk.self) { $0.temple.title == "Shaolin" })
            }
        }

        @Test func `unsaved changes count`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let draft = World.draft()
                try draft.create(Abbey.Monk.self).name = "Fa"
                #expect(try draft.exists(Abbey.Monk.self, %"name" == "Fa"))
                #expect(try draft.exists(Abbey.Monk.self) { $0.name == "Fa" })
                #expect(try draft.first(Abbey.Monk.self, %"name" == "Fa")?.isInserted == true)
                #expect(try !draft.exists(Abbey.Monk.self, %"name" == "Fa", options: .NoPendingChanges))
                try draft.fetch(Abbey.Monk.self, %"name" == "Wei").name = "Wu"
                #expect(try draft.exists(Abbey.Monk.self, %"name" == "Wu"))
                #expect(try !draft.exists(Abbey.Monk.self, %"name" == "Wei"))
                #expect(
                    try World.exists(Abbey.Monk.self, %"name" == "Wei")
                        && !World.exists(Abbey.Monk.self, %"name" == "Wu"))
                let wasDeleted = try await World.update { update in
                    try update.deleteAll(Abbey.Monk.self) { $0.age == 30 }
                    return try !update.exists(Abbey.Monk.self, %"age" == 30)
                        && update.first(Abbey.Monk.self, %"age" == 30) == nil
                }
                #expect(wasDeleted)
            }
        }

        @Test func `a wrong key is refused`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let first = #expect(throws: FetchError.self) { try World.first(Abbey.Monk.self, %"nam" == "Wei") }
                let exists = #expect(throws: FetchError.self) { try World.exists(Abbey.Monk.self, %"nam" == "Wei") }
                #expect(first?.code == .unknownKey && exists?.code == .unknownKey)
                #expect(throws: FetchError.self) { try World.first(Abbey.Monk.self) { $0.isGrown == true } }
            }
        }

        // MARK: Statements

        private static func recorded(_ body: (Reader) throws -> Void) throws -> [String] {
            let recorder = StatementRecorder()
            let folder = try TemporaryFolder()
            let stack = try Stack(Abbey.Monk.self, trace: recorder.trace)
            try stack.addDatabaseStore(fileURL: folder.file("Abbey.sqlite"))
            let World = try MainContext(stack: stack)
            return try recorder.queries { try body(World.reader) }
        }

        @Test func `the statement stops at the first row`() throws {
            let statements = try Self.recorded { reader in
                _ = try reader.first(Abbey.Monk.self, orderBy: .descending(\.age)) { $0.rank == .monk }
            }
            #expect(statements.count == 1)
            #expect(
                statements.first?.hasSuffix(
                    "FROM ZBEING t0 WHERE t0.Z_ENT = 2 AND t0.ZRANK = ? ORDER BY t0.ZAGE DESC, t0.Z_PK DESC LIMIT ?")
                    == true,
                "\(statements)")
        }

        @Test func `the question reads no columns of the row`() throws {
            let statements = try Self.recorded { reader in
                _ = try reader.exists(Abbey.Monk.self, %"age" > 18)
                _ = try reader.exists(Abbey.Monk.self) { $0.age > 18 }
            }
            let statement = "SELECT t0.Z_PK, t0.Z_ENT FROM ZBEING t0 WHERE t0.Z_ENT = 2 AND t0.ZAGE > ? LIMIT ?"
            #expect(statements == [statement, statement])
        }

        @Test func `the question makes no object`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let context = try MainContext(stack: World.stack)
                context.managedObjectContext.retainsRegisteredObjects = true
                #expect(try context.exists(Abbey.Monk.self) { $0.age > 18 })
                #expect(context.managedObjectContext.registeredObjects.isEmpty)
                #expect(try context.first(Abbey.Monk.self) { $0.age > 18 } != nil)
                #expect(context.managedObjectContext.registeredObjects.count == 1)
            }
        }
    }
#endif
