#if Macros
    import DataMonk
    import DataMonkCore
    import Foundation
    import Testing

    @Suite("Conditions with typed keys") @MainActor struct TypedConditionTests {
        @Test func `comparisons with values`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.name == "Wei" } == ["Wei"])
                #expect(try World.names { $0.name != "Wei" } == ["Bo", "Chan", "Émile"])
                #expect(try World.names { $0.age > 30 } == ["Wei"])
                #expect(try World.names { $0.age >= 30 && $0.age < 60 } == ["Bo", "Chan"])
                #expect(try World.names { $0.age <= 17 || !($0.nick != nil) } == ["Chan", "Émile"])
            }
        }

        @Test func `values of every type`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.height < 1.6 } == ["Chan"])
                #expect(try World.names { $0.salary == Decimal(string: "0.1") } == ["Wei"])
                #expect(try World.names { $0.rank == .monk } == ["Bo", "Chan"])
                #expect(try World.names { $0.isAwake == true } == ["Wei"])
                #expect(try World.names { $0.badge == Abbey.badge } == ["Wei"])
                #expect(try World.names { $0.seal == Data([1, 2]) } == ["Wei"])
                #expect(try World.names { $0.born > Date(timeIntervalSinceReferenceDate: 500) } == ["Bo"])
            }
        }

        @Test func `nil, and values that may be nil`() async throws {
            let none: String? = nil
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.nick == nil } == ["Chan"])
                #expect(try World.names { $0.nick == none } == ["Chan"])
                #expect(try World.names { $0.nick != "old" } == ["Bo", "Chan", "Émile"])
                #expect(try World.names { $0.teacher == nil } == ["Chan", "Wei"])
                #expect(try World.names { $0.teacher.nick == nil } == ["Chan", "Wei"])
                #expect(try World.names { ($0.teacher.age ?? 0) < 18 } == ["Chan", "Wei"])
            }
        }

        @Test func `paths over several steps`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.teacher.temple.title == "White Horse" } == ["Bo", "Émile"])
                #expect(try World.names { $0.teacher.age > $0.age } == ["Bo", "Émile"])
                #expect(try World.names { $0.teacher.rank == .abbot && $0.rank != .monk } == ["Émile"])
            }
        }

        @Test func `two keys`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.name == $0.nick } == ["Bo"])
                #expect(try World.names { $0.name != $0.nick } == ["Chan", "Wei", "Émile"])
                #expect(try World.names { $0.age < $0.teacher.age } == ["Bo", "Émile"])
                #expect(try World.names { $0.teacher == $0.teacher.teacher } == ["Chan", "Wei"])
            }
        }

        @Test func `lists and bounds`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.age.in([17, 60]) } == ["Wei", "Émile"])
                #expect(try World.names { $0.nick.in(Set(["old", "Bo"])) } == ["Bo", "Wei"])
                #expect(try World.names { $0.rank.in([.abbot]) } == ["Wei"])
                #expect(try World.names { $0.age.between(17...30) } == ["Bo", "Chan", "Émile"])
                #expect(try World.names { $0.age.between(17..<30) } == ["Émile"])
                #expect(try World.names { $0.teacher.age.between(50...70) } == ["Bo", "Émile"])
            }
        }

        @Test func `parts of texts`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.name.begins(with: "W") } == ["Wei"])
                #expect(try World.names { $0.name.begins(with: "éM", options: .caseInsensitive) } == ["Émile"])
                #expect(
                    try World.names { $0.name.begins(with: "em", options: [.caseInsensitive, .diacriticInsensitive]) }
                        == [
                            "Émile"
                        ])
                #expect(try World.names { $0.name.ends(with: "e") } == ["Émile"])
                #expect(try World.names { $0.name.contains("h") } == ["Chan"])
                #expect(try World.names { $0.name.contains($0.nick) } == ["Bo"])
                #expect(try World.names { $0.name.begins(with: $0.nick) || $0.name.ends(with: $0.nick) } == ["Bo"])
                #expect(try World.names { $0.name.like("?e*") } == ["Wei"])
                #expect(try World.names { $0.name.matches("[BC].*") } == ["Bo", "Chan"])
                #expect(try World.names { $0.name.equals("WEI", options: .caseInsensitive) } == ["Wei"])
                #expect(try World.names { $0.name.length > 3 } == ["Chan", "Émile"])
                #expect(try World.names { $0.name.lowercased == "wei" || $0.name.uppercased == "BO" } == ["Bo", "Wei"])
            }
        }

        @Test func `arithmetic with keys`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.age * 2 + 1 == 61 } == ["Bo", "Chan"])
                #expect(try World.names { $0.teacher.age - $0.age > 40 } == ["Émile"])
                #expect(try World.names { $0.age / 2 == 8 && $0.age % 2 == 1 } == ["Émile"])
                #expect(try World.names { 100 - $0.age < 50 } == ["Wei"])
                #expect(try World.names { ($0.age - 100).absolute > 80 } == ["Émile"])
                #expect(try World.names { $0.born + 10 > Date(timeIntervalSinceReferenceDate: 500) } == ["Bo"])
                #expect(try World.names { $0.born - $0.teacher.born > 900 } == ["Bo"])
            }
        }

        @Test func `objects of a to-many`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.pupils.any { $0.age < 18 } } == ["Wei"])
                #expect(try World.names { $0.pupils.all { $0.age < 18 } } == ["Bo", "Chan", "Émile"])
                #expect(try World.names { $0.pupils.none { $0.age == 30 } } == ["Bo", "Chan", "Émile"])
                #expect(try World.names { $0.pupils.count == 2 } == ["Wei"])
                #expect(try World.names { $0.pupils.isEmpty } == ["Bo", "Chan", "Émile"])
                #expect(try World.names { $0.pupils.filter { $0.age > 18 }.count == 1 } == ["Wei"])
                #expect(try World.names { $0.pupils.filter { $0.age > 18 }.filter { $0.age < 20 }.isEmpty }.count == 4)
                #expect(try World.names { $0.temple.monks.count == 3 } == ["Bo", "Wei", "Émile"])
            }
        }

        @Test func `inside a closure the objects around keep their names`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(
                    try World.names { monk in monk.pupils.any { $0.rank == .monk && $0.age * 2 == monk.age } } == [
                        "Wei"
                    ])
                let nested = try World.names { monk in
                    monk.temple.monks.any { brother in
                        brother.pupils.any { $0 == monk && $0.age < brother.age }
                    }
                }
                #expect(nested == ["Bo", "Émile"])
            }
        }

        @Test func `figures about a to-many`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.names { $0.pupils.sum(\.age) == 47 } == ["Wei"])
                #expect(try World.names { $0.pupils.average(\.age) > 23 } == ["Wei"])
                #expect(try World.names { $0.pupils.min(\.age) == 17 } == ["Wei"])
                #expect(try World.names { $0.pupils.max(\.name) == "Émile" } == ["Wei"])
                #expect(try World.names { $0.pupils.filter { $0.age > 18 }.max(\.age) == 30 } == ["Wei"])
            }
        }

        @Test func `objects and ids`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let wei = try World.fetch(Abbey.Monk.self) { $0.name == "Wei" }
                let bo = try World.fetchID(Abbey.Monk.self) { $0.name == "Bo" }
                #expect(try World.names { $0 == wei || $0 == bo } == ["Bo", "Wei"])
                #expect(try World.names { $0 != wei && $0 != bo } == ["Chan", "Émile"])
                #expect(try World.names { $0.in([bo]) || $0.in([wei]) } == ["Bo", "Wei"])
                #expect(try World.names { $0.teacher == wei } == ["Bo", "Émile"])
                #expect(try World.names { $0.teacher != wei } == ["Chan", "Wei"])
                #expect(try World.names { $0.teacher == wei.objectID } == ["Bo", "Émile"])
                #expect(try World.names { $0.teacher.in([wei]) } == ["Bo", "Émile"])
                #expect(try World.names { $0.pupils.contains(bo) } == ["Wei"])
                #expect(try World.names { $0.pupils.filter { $0.age < 18 }.contains(bo) } == [])
                #expect(try World.names { $0.teacher.pupils.contains(bo) } == ["Bo", "Émile"])
            }
        }

        @Test func `orders over paths`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let byTeacher = try World.fetchAll(
                    Abbey.Monk.self, orderBy: .descending(\.teacher.name) | .ascending(\.name))
                #expect(byTeacher.map(\.name) == ["Bo", "Émile", "Chan", "Wei"])
                let grown = try World.fetchAll(
                    Abbey.Monk.self, orderBy: .ascending(\.age) | .descending(\.height), options: .Limit(2)
                ) { $0.age >= 18 }
                #expect(grown.map(\.name) == ["Bo", "Chan"])
                let some = try World.fetchAll(Abbey.Monk.self, %"age" >= 18, orderBy: .descending(\.name))
                #expect(some.map(\.name) == ["Wei", "Chan", "Bo"])
            }
        }

        @Test func `every call takes them`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.count(Abbey.Monk.self) { $0.age == 30 } == 2)
                #expect(try World.fetchAllID(Abbey.Monk.self) { $0.age == 30 }.count == 2)
                #expect(throws: FetchError.self) { try World.fetch(Abbey.Monk.self) { $0.age == 31 } }
                let draft = World.draft()
                #expect(try draft.count(Abbey.Monk.self) { $0.age == 30 } == 2)
                #expect(try draft.fetch(Abbey.Monk.self) { $0.name == "Bo" }.age == 30)
                #expect(try draft.fetchOrCreate(Abbey.Monk.self) { $0.name == "Li" && $0.age == 5 }.age == 5)
                try await World.update { update in
                    let made = try update.fetchOrCreate(Abbey.Monk.self) { $0.name == "Xu" && $0.rank == .abbot }
                    #expect(made.name == "Xu" && made.rank == .abbot)
                    try update.commit()
                    #expect(try update.deleteAll(Abbey.Monk.self) { $0.rank == .abbot } == 2)
                }
            }
        }

        @Test func `the same tree as the other spellings`() throws {
            let typed = Query(Abbey.Monk.self) { $0.age >= 18 && $0.teacher.nick == "old" }.condition
            #expect(typed == (%"age" >= 18 && %"teacher.nick" == "old").condition)
            #expect(try typed == Condition(format: "age >= 18 AND teacher.nick == 'old'"))
            #expect(try typed == Condition(#Predicate<Abbey.Monk> { $0.age >= 18 && $0.teacher?.nick == "old" }))
        }

        @Test func `a computed property is refused before the store is asked`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let error = #expect(throws: FetchError.self) { try World.names { $0.isGrown == true } }
                #expect(error?.code == .unknownKey)
                #expect(error?.message.contains("KeyPath<Monk, Bool>") == true)
            }
        }

        @Test func `a property that only its class may set has a key like any other`() async throws {
            for (World, _) in try await Abbey.inEachStore() { #expect(try World.names { $0.secret == "" }.count == 4) }
        }

        @Test func `a class written by hand names its keys`() throws {
            let stack = try Stack(Person.self)
            try stack.addInMemoryStore()
            let World = try MainContext(stack: stack)
            #expect(
                try World.fetchAll(Person.self, orderBy: .ascending(\.friend.name)) { $0.friends.count > 1 }.isEmpty)
        }

        @Test func `inherited keys are found in every class`() throws {
            #expect(Abbey.Monk.keyNames[\Abbey.Monk.name] == "name")
            #expect(Abbey.Being.keyNames[\Abbey.Being.name] == "name")
            #expect(Monastery.Monk.keyNames[\Monastery.Monk.born] == "born")
        }
    }
#endif
