#if Macros
    import DataMonk
    import DataMonkCore
    import Foundation
    import Testing

    /// What a predicate of Foundation's is true of in memory is what the fetch finds, in each store.
    @Suite("Predicates of Foundation") @MainActor struct FoundationPredicateTests {
        typealias Monk = Abbey.Monk

        private func expectFinds(
            _ names: [String], _ predicate: Predicate<Monk>, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let evaluated = try World.fetchAll(Monk.self).filter(predicate.evaluate).map(\.name).sorted()
                #expect(evaluated == names, "evaluated by Foundation", sourceLocation: sourceLocation)
                #expect(try World.names(.Predicate(predicate)) == names, sourceLocation: sourceLocation)
            }
        }

        @Test func `comparisons and their joints`() async throws {
            let name = "Wei"
            try await expectFinds(["Wei"], #Predicate { $0.name == name && $0.age >= 18 })
            try await expectFinds(["Bo", "Chan", "Émile"], #Predicate { $0.name != name })
            try await expectFinds(["Wei", "Émile"], #Predicate { $0.age < 18 || $0.age > 30 })
            try await expectFinds(["Bo", "Chan"], #Predicate { !($0.age < 18 || $0.age > 30) })
            try await expectFinds(["Bo", "Chan", "Émile"], #Predicate { $0.age <= 30 && true })
        }

        @Test func `truth values`() async throws {
            try await expectFinds(["Wei"], #Predicate { $0.isAwake })
            try await expectFinds(["Bo", "Chan", "Émile"], #Predicate { !$0.isAwake })
            try await expectFinds(["Wei"], #Predicate { ($0.age > 30) == $0.isAwake && $0.isAwake })
            try await expectFinds(["Bo", "Chan", "Émile"], #Predicate { ($0.age > 30) == false })
            try await expectFinds(["Bo", "Chan", "Émile"], #Predicate { ($0.age > 30) != true })
        }

        @Test func `values of other types`() async throws {
            let (badge, seal, born) = (Abbey.badge, Data([1, 2]), Date(timeIntervalSinceReferenceDate: 500))
            let salary = Decimal(7)
            try await expectFinds(["Wei"], #Predicate { $0.badge == badge })
            try await expectFinds(["Wei"], #Predicate { $0.seal == seal })
            try await expectFinds(["Chan"], #Predicate { $0.salary == salary })
            try await expectFinds(["Bo"], #Predicate { if let date = $0.born { date > born } else { false } })
        }

        @Test func `optionals and what is behind them`() async throws {
            try await expectFinds(["Chan"], #Predicate { $0.nick == nil })
            try await expectFinds(["Bo", "Wei", "Émile"], #Predicate { $0.nick != nil })
            try await expectFinds(["Bo", "Émile"], #Predicate { $0.teacher?.name == "Wei" })
            try await expectFinds(["Chan", "Wei"], #Predicate { $0.teacher?.name != "Wei" })
            try await expectFinds(
                ["Chan", "Wei"], #Predicate { $0.teacher?.teacher?.name == nil && $0.teacher == nil })
            try await expectFinds(["Chan", "Wei"], #Predicate { ($0.teacher?.age ?? 0) < 18 })
            try await expectFinds(["Bo", "Émile"], #Predicate { $0.teacher.flatMap { $0.age > 18 } == true })
            try await expectFinds(["Chan", "Wei"], #Predicate { $0.teacher.flatMap { $0.age > 18 } == nil })
            try await expectFinds(["Chan", "Wei"], #Predicate { !($0.teacher.flatMap { $0.age > 18 } ?? false) })
            try await expectFinds(["Chan", "Émile"], #Predicate { $0.nick?.isEmpty ?? true })
            try await expectFinds(["Wei"], #Predicate { ($0.nick ?? "x").count == 3 })
        }

        @Test func `behind nil nothing is more than nil`() async throws {
            try await expectFinds([], #Predicate { $0.teacher?.pupils.count == 0 })
            try await expectFinds(["Bo", "Émile"], #Predicate { $0.teacher?.pupils.count == 2 })
            try await expectFinds(["Bo", "Émile"], #Predicate { $0.teacher.flatMap { $0.nick ?? "none" } == "old" })
            try await expectFinds([], #Predicate { $0.teacher.flatMap { $0.nick ?? "none" } == "none" })
        }

        @Test func `one branch or the other`() async throws {
            try await expectFinds(["Wei", "Émile"], #Predicate { $0.isAwake ? $0.age > 30 : $0.age < 18 })
            try await expectFinds(["Wei"], #Predicate { ($0.isAwake ? $0.age : 0) > 18 })
            try await expectFinds(
                ["Bo", "Émile"], #Predicate { if let teacher = $0.teacher { teacher.age > 18 } else { false } })
        }

        @Test func `parts of texts`() async throws {
            let empty = ""
            try await expectFinds(["Chan"], #Predicate { $0.name.contains("h") })
            try await expectFinds(["Wei"], #Predicate { $0.name.starts(with: "We") })
            try await expectFinds(["Bo", "Chan", "Wei", "Émile"], #Predicate { $0.name.contains(empty) })
            try await expectFinds(["Bo", "Émile"], #Predicate { $0.name.contains($0.nick ?? "no") })
            try await expectFinds([], #Predicate { $0.name.isEmpty })
            try await expectFinds(["Chan", "Émile"], #Predicate { $0.name.count > 3 })
        }

        @Test func `arithmetic with numbers`() async throws {
            try await expectFinds(["Émile"], #Predicate { $0.age / 2 == 8 && $0.age % 2 == 1 })
            try await expectFinds(["Bo", "Chan"], #Predicate { $0.age * 2 + 1 - 1 == 60 })
            try await expectFinds(["Wei"], #Predicate { -$0.age < -30 })
            try await expectFinds(["Bo"], #Predicate { $0.height / 2 > 0.86 })
        }

        @Test func `ranges and lists`() async throws {
            let (closed, names, from) = (17...30, ["Wei", "Bo"], 30...)
            let ages: Set<Int> = [17]
            try await expectFinds(["Bo", "Chan", "Émile"], #Predicate { closed.contains($0.age) })
            try await expectFinds(["Émile"], #Predicate { (17..<30).contains($0.age) })
            try await expectFinds(["Émile"], #Predicate { ($0.age...60).contains(18) })
            try await expectFinds(["Bo", "Chan", "Wei"], #Predicate { from.contains($0.age) })
            try await expectFinds(["Bo", "Wei"], #Predicate { names.contains($0.name) })
            try await expectFinds(["Émile"], #Predicate { ages.contains($0.age) })
            try await expectFinds(["Wei"], #Predicate { [60, 61].contains($0.age) })
            try await expectFinds(["Bo", "Wei"], #Predicate { monk in names.contains { $0 == monk.name } })
            try await expectFinds(["Chan", "Émile"], #Predicate { monk in names.allSatisfy { $0 != monk.name } })
        }

        @Test func `objects of a to-many`() async throws {
            try await expectFinds(["Wei"], #Predicate { $0.pupils.contains { $0.age < 18 } })
            try await expectFinds(["Bo", "Chan", "Émile"], #Predicate { $0.pupils.allSatisfy { $0.age < 18 } })
            try await expectFinds(["Wei"], #Predicate { $0.pupils.filter { $0.age > 18 }.count == 1 })
            try await expectFinds(["Wei"], #Predicate { !$0.pupils.isEmpty && $0.pupils.count < 3 })
            try await expectFinds(["Wei"], #Predicate { monk in monk.pupils.contains { $0.age * 2 == monk.age } })
            try await expectFinds(
                ["Bo", "Émile"],
                #Predicate { monk in
                    monk.temple.flatMap { $0.monks.contains { brother in brother.pupils.contains { $0 == monk } } }
                        == true
                })
            try await expectFinds(
                ["Wei"], #Predicate { $0.pupils.filter { $0.age > 18 }.contains { $0.rank == $0.rank && $0.age < 40 } })
        }

        @Test func `values of a captured struct`() async throws {
            struct Limits: Codable, Sendable { var grown = 18 }
            let limits = Limits()
            try await expectFinds(["Émile"], #Predicate { $0.age < limits.grown })
        }

        @Test(arguments: [
            (#Predicate<Monk> { $0.name.contains(/W/) }, "StringContainsRegex"),
            (#Predicate<Monk> { $0.temple?.monks.first?.age == 3 }, "KeyPath"),
            (#Predicate<Monk> { $0.temple?.monks[0].age == 3 }, "CollectionIndexSubscript"),
        ])
        func `what no condition can say is refused by name`(predicate: Predicate<Monk>, name: String) {
            let error = #expect(throws: FetchError.self) { try Condition(predicate) }
            #expect(error?.code == .unsupportedCondition)
            #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        }

        @Test(arguments: [#Predicate<Abbey.Being> { $0 is Abbey.Monk }, #Predicate { ($0 as? Abbey.Monk)?.age == 3 }])
        func `subclasses are fetched, not asked for`(predicate: Predicate<Abbey.Being>) {
            let error = #expect(throws: FetchError.self) { try Condition(predicate) }
            #expect(error?.message.contains("fetchAll(Monk.self, …)") == true)
        }

        @Test func `a computed property is refused`() {
            let error = #expect(throws: FetchError.self) { try Condition(#Predicate<Monk> { $0.isGrown }) }
            #expect(error?.code == .unknownKey)
        }
    }
#endif
