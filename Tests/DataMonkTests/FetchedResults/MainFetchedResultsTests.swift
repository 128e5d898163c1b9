#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Lists of a main context.
    @Suite @MainActor struct `Fetched results on the main actor` {
        private let World: MainContext

        init() throws { World = try MainContext(stack: .inMemory(Person.self)) }

        private func add(_ people: [(name: String, location: String)]) async throws {
            try await World.update { update in
                for (name, location) in people {
                    let person = try update.create(Person.self)
                    (person.name, person.location) = (name, location)
                }
                try update.commit()
            }
        }

        @MainActor private final class Shown {
            var people: FetchedResults<Person>?
        }

        private func list(_ query: Query? = nil) throws -> FetchedResults<Person> {
            try World.fetchedResults(
                Person.self, query, orderBy: .Ascending("location") | .Ascending("name"), sectionBy: %"location")
        }

        @Test func `a list shows what there is, and then what updates commit`() async throws {
            try await add([("Monk", "Taipei"), ("Knight", "Rome")])
            let people = try list()
            #expect(people.sections.map(\.name) == ["Rome", "Taipei"] && people[[1, 0]].name == "Monk")
            #expect(people.objects.map(\.name) == ["Knight", "Monk"] && people.count == 2)
            var snapshot = people.snapshot
            let changes = people.changes
            try await add([("Prior", "Taipei")])
            var iterator = changes.makeAsyncIterator()
            let change = try #require(await iterator.next())
            #expect(change.objects.map(\.kind) == [.insert([1, 1])])
            let isApplied = snapshot.apply(change)
            #expect(isApplied && snapshot == people.snapshot)
            let prior = try #require(change.objects.first.flatMap { people.object(for: $0.objectID) })
            #expect(prior.name == "Prior" && people.indexPath(for: prior) == [1, 1])
        }

        @MainActor private final class Weak {
            weak var person: Person?
            init(_ person: Person) { self.person = person }
        }

        @Test func `objects that updates delete do not stay behind a list that lets go of them`() async throws {
            try await add((0..<2_000).map { ("p\($0)", "x") })
            let people = try list()
            let shown = people.objects.map(Weak.init)
            let held = people.objects[0]
            try await World.update { update in
                for person in try update.fetchAll(Person.self, %"name" != "p1999") { try update.delete(person) }
                try update.commit()
            }
            try await World.waitUntilListsAreCurrent()
            #expect(shown.compactMap(\.person) == [held, people.objects[0]] && held.isDeleted)
        }

        @Test func `a list keeps its context, which it follows`() async throws {
            var own: MainContext? = try MainContext(stack: World.stack)
            weak let context = own
            let people = try #require(try own?.fetchedResults(Person.self, orderBy: .Ascending("name")))
            let changes = people.changes
            own = nil
            try #require(context != nil)
            try await add([("Monk", "Taipei")])
            var iterator = changes.makeAsyncIterator()
            #expect(await iterator.next()?.objects.count == 1 && people.objects.map(\.name) == ["Monk"])
        }

        @Test func `a large commit is followed as a whole, and told once`() async throws {
            let people = try list(%"name" != "none")
            var snapshot = people.snapshot
            let changes = people.changes
            var sizes: [Int] = []
            let observation = people.observeChanges { sizes.append($0.objects.count) }
            try await add((0..<600).map { ("p\($0)", "l\($0 % 7)") })
            try await World.waitUntilListsAreCurrent()
            #expect(sizes == [600])
            var iterator = changes.makeAsyncIterator()
            for _ in sizes {
                let isApplied = snapshot.apply(try #require(await iterator.next()))
                #expect(isApplied)
            }
            #expect(snapshot == people.snapshot && people.sections.count == 7)
            _ = observation
        }

        @Test func `a list that is fetched again before it hears of a reset tells the loss first`() async throws {
            try await add([("Monk", "Taipei")])
            // Before the list, so that it hears of the reset earlier.
            let shown = Shown()
            let observation = World.observeChanges { if $0.isEverything { try? shown.people?.reload() } }
            let people = try list()
            var told: [FetchedResultsChanges] = []
            let listObservation = people.observeChanges { told.append($0) }
            shown.people = people
            var snapshot = people.snapshot
            World.reset()
            #expect(told.first?.requiresFetch == true && people.count == 1)
            for change in told where !snapshot.apply(change) { snapshot = people.snapshot }
            #expect(snapshot == people.snapshot)
            _ = (observation, listObservation)
        }

        @Test func `a list with a limit and a filter follows the deletion of what it hides and has not kept`()
            async throws
        {
            try await add((0..<1_200).map { ("p\($0 + 1_000)", $0 % 2 == 0 ? "shown" : "hidden") })
            let people = try World.fetchedResults(Person.self, orderBy: .Ascending("name"), options: .Limit(1_100))
            try people.filter { $0.location == "shown" }
            #expect(people.count == 550)
            // Lets the context give up the objects that nobody holds.
            for _ in 0..<3 { _ = try World.first(Person.self, %"name" == "none") }
            try await World.update { update in
                for number in [1, 3] { try update.delete(update.fetch(Person.self, %"name" == "p\(1_000 + number)")) }
                try update.commit()
            }
            try await World.waitUntilListsAreCurrent()
            #expect(people.count == 551)
        }

        @Test func `changes name the objects whose cells are to be configured again`() async throws {
            try await add([("Monk", "Taipei"), ("Knight", "Rome"), ("Prior", "Rome")])
            let people = try list()
            var told: [FetchedResultsChanges] = []
            let observation = people.observeChanges { told.append($0) }
            let known = people.objects
            try await World.update { update in
                try update.fetch(Person.self, %"name" == "Monk").location = "Rome"
                try update.fetch(Person.self, %"name" == "Knight").age = 40
                try update.delete(update.fetch(Person.self, %"name" == "Prior"))
                try update.create(Person.self).name = "Abbot"
                try update.commit()
            }
            try await World.waitUntilListsAreCurrent()
            let changed = known.filter { ["Monk", "Knight"].contains($0.name) }.map(\.anyObjectID)
            #expect(Set(told.flatMap(\.reconfigured)) == Set(changed))
            _ = observation
        }

        @Test func `a list can be filtered and fetched again`() async throws {
            try await add([("Monk", "Taipei"), ("Knight", "Rome")])
            let people = try list()
            var told: [FetchedResultsChanges] = []
            let observation = people.observeChanges { told.append($0) }
            try people.filter { $0.name.hasPrefix("M") }
            #expect(people.objects.map(\.name) == ["Monk"] && told.last?.sections.map(\.index) == [0])
            try people.filter(nil)
            #expect(people.count == 2 && told.count == 2)
            World.reset()
            #expect(people.objects.isEmpty && told.last?.requiresFetch == true)
            try people.reload()
            #expect(people.count == 2)
            _ = observation
        }

        @Test func `a limited list shows the first objects, and fetches again when that changes`() async throws {
            try await add([("a", "x"), ("b", "x"), ("d", "x"), ("e", "x")])
            let people = try World.fetchedResults(
                Person.self, orderBy: .Ascending("name"), options: .Limit(3))
            #expect(people.objects.map(\.name) == ["a", "b", "d"])
            try await add([("f", "x")])
            try await World.waitUntilListsAreCurrent()
            #expect(people.objects.map(\.name) == ["a", "b", "d"])
            try await add([("c", "x")])
            try await World.waitUntilListsAreCurrent()
            #expect(people.objects.map(\.name) == ["a", "b", "c"])
            try await World.update { update in
                try update.delete(update.fetch(Person.self, %"name" == "a"))
                try update.commit()
            }
            try await World.waitUntilListsAreCurrent()
            #expect(people.objects.map(\.name) == ["b", "c", "d"])
        }

        @Test func `a list that could not follow the last event fetches again by itself`() async throws {
            let stack = Stack(model: try Office.model.get())
            let store = FaultInjectingStore(InMemoryStore(directory: stack.coordinator.directory, index: 0))
            try stack.coordinator.add(store)
            let (errors, send) = AsyncStream.makeStream(of: String.self)
            stack.onError { send.yield("\($0)") }
            let World = try MainContext(stack: stack)
            try stack.commit { update in
                for name in ["a", "b", "c"] { try update.create(Office.Employee.self).name = name }
            }
            let list = try World.fetchedResults(
                Office.Employee.self, orderBy: .Ascending("name"), options: .Limit(2))
            #expect(list.objects.map(\.name) == ["a", "b"])
            let changes = list.changes
            try stack.commit { try $0.delete($0.fetch(Office.Employee.self, %"name" == "a")) }
            store.fail(.read)
            var failures = errors.makeAsyncIterator()
            #expect(await failures.next()?.contains("injected") == true)
            #expect(list.count == 2)
            // No event comes any more.
            var iterator = changes.makeAsyncIterator()
            #expect(await iterator.next() != nil)
            #expect(list.objects.map(\.name) == ["b", "c"])
        }

        @Test func `objects that a filter hides take places within a limit`() async throws {
            try await add([("a", "x"), ("b", "x"), ("c", "x")])
            let people = try World.fetchedResults(Person.self, orderBy: .Ascending("name"), options: .Limit(2))
            try people.filter { $0.name != "a" }
            #expect(people.objects.map(\.name) == ["b"])
            try await World.update { update in
                try update.delete(update.fetch(Person.self, %"name" == "a"))
                try update.commit()
            }
            try await World.waitUntilListsAreCurrent()
            #expect(people.objects.map(\.name) == ["b", "c"])
        }

        @Test func `an offset is refused with a reason`() throws {
            let error = #expect(throws: FetchError.self) {
                try World.fetchedResults(Person.self, orderBy: .Ascending("name"), options: .Offset(3))
            }
            #expect(error?.code == .invalidRequest)
        }

        @Test func `places without an object or a section answer nil`() async throws {
            try await add([("Monk", "Taipei")])
            let people = try list()
            #expect(people.objectIfPresent(at: [0, 0])?.name == "Monk" && people.numberOfSections == 1)
            #expect(people.objectIfPresent(at: [0, 1]) == nil && people.objectIfPresent(at: [1, 0]) == nil)
            #expect(people.objectIfPresent(at: [0]) == nil && people.sectionIfPresent(at: 1) == nil)
        }

        @Test func `a change is announced while the list has its former contents`() async throws {
            let people = try list()
            var events: [String] = []
            let early = people.observeUpcomingChanges { events.append("before \(people.count)") }
            let late = people.observeChanges { _ in events.append("after \(people.count)") }
            try await add([("Monk", "Taipei")])
            try await World.waitUntilListsAreCurrent()
            #expect(events == ["before 0", "after 1"])
            _ = (early, late)
        }
    }
#endif
