#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// What Core Data was observed to tell of fetched results. How changes are written here is told at `ResultsStage`.
    @Suite struct `Scenarios of fetched results` {
        private static let two = [(name: "Ann", note: Optional("a")), ("Cid", "a")]

        @Test(.scenario("scn/frc/001"), arguments: StoreKind.allCases)
        func `sections come before objects, and who only made room is not told`(kind: StoreKind) throws {
            let stage = try ResultsStage(kind, people: Self.two)
            _ = try stage.insert("Bob", "a")
            _ = try stage.insert("Dan", "b")
            stage.context.delete(try stage.employee("Ann"))
            // Cid stays at 0.1: Ann went before him, and Bob came.
            #expect(try stage.endEvent() == ["+b@1", "-0.0", "+0.0", "+1.0"])
            #expect(stage.shown == ["a: Bob Cid", "b: Dan"])
        }

        @Test(.scenario("scn/frc/002"), arguments: StoreKind.allCases)
        func `a changed sort key is a move alone, another change an update`(kind: StoreKind) throws {
            let stage = try ResultsStage(kind, people: Self.two)
            let ann = try stage.employee("Ann")
            ann.name = "Zoe"
            ann.age = 7
            #expect(try stage.endEvent() == ["0.0>0.1"])
            ann.age = 8
            #expect(try stage.endEvent() == ["*0.1"])
            // A move as well where the place is the same.
            ann.name = "Zora"
            #expect(try stage.endEvent() == ["0.1>0.1"])
        }

        @Test(.scenario("scn/frc/003"), arguments: StoreKind.allCases)
        func `an insertion is one change with its new place`(kind: StoreKind) throws {
            let stage = try ResultsStage(kind, people: [("Ann", "a")])
            let bob = try stage.insert("Bob", "a")
            #expect(stage.told.isEmpty)
            stage.context.processPendingChanges()
            #expect(stage.told.count == 1)
            #expect(stage.told.first?.objects.map(\.kind) == [.insert([0, 1])])
            #expect(stage.told.first?.objects.map(\.objectID) == [bob.anyObjectID])
            #expect(stage.told.first?.sections == [] && stage.told.first?.requiresFetch == false)
        }

        @Test(.scenario("scn/frc/005"), arguments: StoreKind.allCases)
        func `a deletion has its place before the change`(kind: StoreKind) throws {
            let stage = try ResultsStage(kind, people: Self.two)
            let cid = try stage.employee("Cid")
            _ = try stage.insert("Abe", "a")
            stage.context.delete(cid)
            #expect(try stage.endEvent() == ["-0.1", "+0.0"])
        }

        @Test(.scenario("scn/frc/006"), arguments: StoreKind.allCases)
        func `a changed section key is a move into the other section`(kind: StoreKind) throws {
            let stage = try ResultsStage(kind, people: Self.two)
            try stage.employee("Cid").note = "b"
            #expect(try stage.endEvent() == ["+b@1", "0.1>1.0"])
            #expect(stage.controller.sections.count == 2)
        }

        @Test(.scenario("scn/frc/007"), arguments: StoreKind.allCases)
        func `leaving the condition is a deletion, entering it an insertion`(kind: StoreKind) throws {
            var request = ResultsStage.request()
            request.condition = .compare("age", .lessThan, 10)
            let stage = try ResultsStage(kind, people: Self.two, request: request)
            let cid = try stage.employee("Cid")
            cid.age = 10
            #expect(try stage.endEvent() == ["-0.1"])
            cid.age = 11
            #expect(try stage.endEvent() == [])
            cid.age = 9
            #expect(try stage.endEvent() == ["+0.1"])
        }

        @Test(.scenario("scn/frc/009"), arguments: StoreKind.allCases)
        func `an event with six changes tells six`(kind: StoreKind) throws {
            let stage = try ResultsStage(
                kind, people: ["A", "B", "C", "D", "E"].map { ($0, "a") })
            stage.context.delete(try stage.employee("A"))
            try stage.employee("B").age = 1
            try stage.employee("C").age = 1
            try stage.employee("D").name = "Z"
            for name in ["F", "G"] { _ = try stage.insert(name, "a") }
            stage.context.processPendingChanges()
            let kinds = try #require(stage.told.first).objects.map(\.kind)
            #expect(stage.told.count == 1 && kinds.count == 6)
            #expect(try stage.look() == ["-0.0", "+0.3", "+0.4", "0.3>0.5", "*0.0", "*0.1"])
        }

        @Test(.scenario("scn/frc/010"), arguments: StoreKind.allCases)
        func `when all of two sections move to a new one, two sections go and one comes`(kind: StoreKind) throws {
            let stage = try ResultsStage(kind, people: [("Ann", "a"), ("Bob", "a"), ("Cid", "b")])
            for employee in stage.controller.fetchedObjects ?? [] { employee.note = "c" }
            stage.context.processPendingChanges()
            #expect(stage.told.first?.sections.map(\.count) == [0, 0, 3])
            #expect(try stage.look() == ["-a@0", "-b@1", "+c@0", "0.0>0.0", "0.1>0.1", "1.0>0.2"])
        }

        @Test(.scenario("scn/frc/011"), arguments: StoreKind.allCases)
        func `a reset tells no deletions and asks for a fetch, one lost object is a deletion`(kind: StoreKind) throws {
            let stage = try ResultsStage(kind, people: Self.two)
            stage.context.reset()
            #expect(try stage.look() == ["fetch"])
            #expect(stage.controller.fetchedObjects == nil && stage.controller.sections.isEmpty)
            _ = try stage.insert("Bob", "a")
            #expect(try stage.endEvent() == [])
            try stage.controller.performFetch()
            #expect(stage.shown == ["a: Ann Bob Cid"])

            let (other, cid) = (stage.office.newContext(), try stage.employee("Cid"))
            other.delete(try other.own(cid))
            try other.save()
            try stage.context.mergeChanges(from: ObjectChangeNotice(invalidated: [cid.anyObjectID]))
            #expect(try stage.look() == ["-0.2"])
        }

        @Test(.scenario("scn/frc/011"), arguments: StoreKind.allCases)
        func `when the stores are gone no deletion is told, and a fetch says so`(kind: StoreKind) throws {
            let stage = try ResultsStage(kind, people: Self.two)
            try stage.office.stack.close()
            #expect(try stage.endEvent() == [])
            #expect(throws: StoreError.self) { try stage.controller.performFetch() }
        }
    }
#endif
