#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Suite("Lists and bounds of string keys") @MainActor struct MemberListTests {
        @Test func `one of some values`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names(%"age"%.in([17, 60])) == ["Wei", "Émile"])
                #expect(try World.names(!(%"age"%.in([17, 60]))) == ["Bo", "Chan"])
                #expect(try World.names(%"name"%.in(Set(["Wei", "Bo", "Nobody"]))) == ["Bo", "Wei"])
                #expect(try World.names(%"rank"%.in([Abbey.Rank.abbot])) == ["Wei"])
                #expect(try World.names(%"badge"%.in([Abbey.badge])) == ["Wei"])
                #expect(try World.names(%"teacher.age"%.in([60])) == ["Bo", "Émile"])
                #expect(try World.names(%"pupils.age"%.any.in([17, 18])) == ["Wei"])
                #expect(try World.names(%"pupils.age"%.all.in([17])) == ["Bo", "Chan", "Émile"])
            }
        }

        @Test func `an empty list finds nothing`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names(%"age"%.in([Int]())) == [])
                #expect(try World.names(%"nick"%.in([String?]())) == [])
                #expect(try World.names(%"teacher"%.in([Abbey.Monk]())) == [])
                #expect(try World.names(!(%"age"%.in([Int]()))).count == 4)
                #expect(try World.names { $0.age.in([]) || $0.teacher.in([Abbey.Monk]()) } == [])
            }
        }

        @Test func `nil among the values finds nil, in both spellings`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names(%"nick"%.in(["old", nil])) == ["Chan", "Wei"])
                #expect(try World.names(%"nick"%.in([nil as String?])) == ["Chan"])
                #expect(try World.names(!(%"nick"%.in(["old", nil]))) == ["Bo", "Émile"])
                #expect(try World.names(%"nick"%.in(["old"])) == ["Wei"])
                #expect(try World.names { $0.nick.in(["old", nil]) } == ["Chan", "Wei"])
                #expect(try World.names { !$0.nick.in(["old", nil]) } == ["Bo", "Émile"])
            }
        }

        @Test func `objects and ids`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let wei = try World.fetch(Abbey.Monk.self, %"name" == "Wei")
                let bo = try World.fetchID(Abbey.Monk.self, %"name" == "Bo")
                #expect(try World.names(%"teacher"%.in([wei])) == ["Bo", "Émile"])
                #expect(try World.names(%"teacher"%.in([wei.objectID, bo])) == ["Bo", "Émile"])
                #expect(try World.names(%"teacher"%.in([wei, nil])) == ["Bo", "Chan", "Wei", "Émile"])
                #expect(try World.names(%"self"%.in([wei])) == ["Wei"])
                #expect(try World.names(%"self"%.in([bo])) == ["Bo"])
                #expect(try World.names(%"self"%.in([bo.erased, wei.objectID.erased])) == ["Bo", "Wei"])
                #expect(try World.names(%"pupils"%.any.in([bo])) == ["Wei"])
            }
        }

        @Test func `within bounds`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names(%"age"%.between(17...30)) == ["Bo", "Chan", "Émile"])
                #expect(try World.names(%"height"%.between(1.6...1.7)) == ["Wei", "Émile"])
                #expect(try World.names(%"name"%.between("A"..."C")) == ["Bo"])
                let year = Date(timeIntervalSinceReferenceDate: 0)...Date(timeIntervalSinceReferenceDate: 10)
                #expect(try World.names(%"born"%.between(year)) == ["Wei"])
                #expect(try World.names(%"pupils.age"%.any.between(17...18)) == ["Wei"])
            }
        }

        @Test func `a range of integers is passed by its bounds`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names(%"age"%.in(17...30)) == ["Bo", "Chan", "Émile"])
                #expect(try World.names(%"age"%.in(17..<30)) == ["Émile"])
                #expect(try World.names(%"age"%.in(17..<17)) == [])
                #expect(try World.names(%"age"%.in(17...)) == World.names(%"age" >= 17))
                #expect(try World.names(%"pupils.age"%.any.in(18..<30)) == [])
                #expect(try World.names { $0.age.in(17..<30) || $0.age.in(50...60) } == ["Wei", "Émile"])
                #expect(try World.names { $0.age.in(17..<17) } == [])
            }
            #expect(%"age"%.in(0...Int.max) == %"age"%.between(0...Int.max))
            #expect(Query(Abbey.Monk.self) { $0.age.in(17...) } == %"age"%.in(17...))
            #expect(Query(Abbey.Monk.self) { $0.age.in(0...Int.max) } == %"age"%.between(0...Int.max))
        }

        @Test func `conditions of both spellings are the same`() {
            #expect(%"age"%.in([17, 60]) == Query(Abbey.Monk.self) { $0.age.in([17, 60]) })
            #expect(%"nick"%.in(["a", nil]) == Query(Abbey.Monk.self) { $0.nick.in(["a", nil]) })
            #expect(%"age"%.between(1...2) == Query(Abbey.Monk.self) { $0.age.between(1...2) })
            #expect((%"age").in([1]) == %"age"%.in([1]))
        }

        @Test func `a list of another type is refused`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let error = #expect(throws: FetchError.self) { try World.names(%"age"%.in(["Wei"])) }
                #expect(error?.code == .typeMismatch && error?.keyPath == "age")
                #expect(throws: FetchError.self) { try World.names(%"age"%.between("a"..."b")) }
                #expect(throws: FetchError.self) { try World.names(%"teacher"%.in([17])) }
            }
        }

        @Test func `the statements`() throws {
            let recorder = StatementRecorder()
            let folder = try TemporaryFolder()
            let stack = try Stack(Abbey.Monk.self, trace: recorder.trace)
            try stack.addDatabaseStore(fileURL: folder.file("Abbey.sqlite"))
            let World = try MainContext(stack: stack)
            let statements = try recorder.queries {
                _ = try World.fetchAllID(Abbey.Monk.self, %"nick"%.in(["a", "b", nil]))
                _ = try World.fetchAllID(Abbey.Monk.self, %"age"%.between(1...2))
            }
            let start = "SELECT t0.Z_PK, t0.Z_ENT FROM ZBEING t0 WHERE t0.Z_ENT = 2 AND "
            #expect(
                statements == [
                    start + "(t0.ZNICK IN (?, ?) OR t0.ZNICK IS NULL)", start + "t0.ZAGE BETWEEN ? AND ?",
                ])
        }
    }
#endif
