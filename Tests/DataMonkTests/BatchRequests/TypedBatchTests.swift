#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Suite("Batch requests with typed keys") @MainActor struct TypedBatchTests {
        /// The name, age and nick of every monk, in the order of their names.
        private func monks(_ World: MainContext) throws -> [String] {
            try World.fetchAll(Abbey.Monk.self, orderBy: .ascending(\.name)).map {
                "\($0.name) \($0.age) \($0.nick ?? "nil")"
            }
        }

        @Test func `constants and calculated values`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let count = try await World.update { update in
                    try update.batchUpdate(
                        Abbey.Monk.self, set: [.set(\.nick, to: "new"), .set(\.age) { $0.age * 2 + 1 }]
                    ) { $0.teacher.name == "Wei" }
                }
                #expect(count == 2)
                #expect(try monks(World) == ["Bo 61 new", "Chan 30 nil", "Wei 60 old", "Émile 35 new"])
                try await World.update { update in
                    try update.batchUpdate(
                        Abbey.Monk.self, %"age" == 30,
                        set: [.set(\Abbey.Monk.nick) { $0.name }, .set(\.rank, to: .abbot)])
                    try update.batchUpdate(Abbey.Monk.self, %"age" > 60, set: [.set(\.nick, to: nil)])
                }
                #expect(try monks(World) == ["Bo 61 nil", "Chan 30 Chan", "Wei 60 old", "Émile 35 new"])
                #expect(try World.names { $0.rank == .abbot } == ["Chan", "Wei"])
            }
        }

        @Test func `all objects, where there is no condition`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let count = try await World.update { update in
                    try update.batchUpdate(Abbey.Monk.self, set: [.set(\.isAwake, to: true), .set(\.salary, to: 1)])
                }
                #expect(try count == 4 && World.names { $0.isAwake == true && $0.salary == 1 }.count == 4)
            }
        }

        @Test func `to-ones, by object, id and nil`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let chan = try World.fetchID(Abbey.Monk.self) { $0.name == "Chan" }
                try await World.update { update in
                    try update.batchUpdate(Abbey.Monk.self, set: [.set(\.teacher, to: chan)]) { $0.name == "Bo" }
                    let wei = try update.fetch(Abbey.Monk.self) { $0.name == "Wei" }
                    try update.batchUpdate(Abbey.Monk.self, set: [.set(\.teacher, to: wei)]) { $0.name == "Chan" }
                    try update.batchUpdate(Abbey.Monk.self, set: [.set(\.temple, to: nil)]) { $0.name == "Wei" }
                }
                #expect(try World.names { $0.teacher == chan } == ["Bo"])
                #expect(try World.names { $0.teacher.name == "Wei" } == ["Chan", "Émile"])
                #expect(try World.names { $0.temple == nil } == ["Chan", "Wei"])
            }
        }

        @Test func `the same as with names`() async throws {
            let statements = try ["names", "keys"].map { spelling in
                let recorder = StatementRecorder()
                let folder = try TemporaryFolder()
                let stack = try Stack(Abbey.Monk.self, trace: recorder.trace)
                try stack.addDatabaseStore(fileURL: folder.file("Abbey.sqlite"))
                return try recorder.statements {
                    try Context(stack: stack).beginUpdateAndWait { update in
                        if spelling == "names" {
                            try update.batchUpdate(
                                Abbey.Monk.self, %"teacher.age" > 3,
                                set: ["age": .keyPath("age") + 1, "nick": "new", "teacher": nil])
                        } else {
                            try update.batchUpdate(
                                Abbey.Monk.self,
                                set: [.set(\.teacher, to: nil), .set(\.age) { $0.age + 1 }, .set(\.nick, to: "new")]
                            ) { $0.teacher.age > 3 }
                        }
                    }
                }.filter { $0.hasPrefix("UPDATE") }
            }
            #expect(statements[0] == statements[1])
            #expect(
                statements[0].first?.contains("ZAGE = datamonk_calculate('add:to:', 'ii', t0.ZAGE, ?)") == true,
                "\(statements)")
        }

        @Test func `a deletion`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let count = try await World.update { update in
                    try update.batchDelete(Abbey.Monk.self) { $0.age == 30 && $0.teacher == nil }
                }
                #expect(try count == 1 && World.names { $0.age > 0 } == ["Bo", "Wei", "Émile"])
            }
        }

        @Test func `what cannot be set is refused, and nothing is changed`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let before = try monks(World)
                func refusal(_ assignments: [TypedAssignment<Abbey.Monk>]) async -> FetchError? {
                    await #expect(throws: FetchError.self) {
                        try await World.update { update in
                            try update.batchUpdate(Abbey.Monk.self, set: assignments)
                        }
                    }
                }
                let twice = await refusal([.set(\.age, to: 1), .set(\.nick, to: "a"), .set(\.age) { $0.age + 1 }])
                #expect(twice?.code == .invalidRequest && twice?.keyPath == "age")
                let computed = await refusal([.set(\.alias, to: "a")])
                #expect(computed?.code == .unknownKey && computed?.message.contains("computed property") == true)
                #expect(await refusal([])?.code == .invalidRequest)
                #expect(try monks(World) == before)
            }
        }
    }

    extension Abbey.Monk {
        /// A property that can be set, and is not stored.
        fileprivate var alias: String {
            get { nick ?? name }
            set { nick = newValue }
        }
    }
#endif
