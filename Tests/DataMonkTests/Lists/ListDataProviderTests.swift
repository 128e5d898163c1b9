#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Providers, and views that follow them as strictly as UIKit's.
    @Suite @MainActor struct `List data providers` {
        typealias Provider = ListDataProvider<Person, String>

        private let World: MainContext
        private let table = StandInTable()

        init() throws { World = try MainContext(stack: .inMemory(Person.self)) }

        private func add(_ people: [(name: String, location: String)]) async throws {
            try await World.update { update in
                for (name, location) in people {
                    let person = try update.create(Person.self)
                    (person.name, person.location) = (name, location)
                }
                try update.commit()
            }
            try await World.waitUntilListsAreCurrent()
        }

        private func answer(_ rows: StandInRows, from provider: Provider) {
            rows.counts = { [unowned provider] in
                (0..<provider.numberOfSections).map(provider.numberOfObjects)
            }
            rows.cell = { [unowned provider] in provider.cell(at: $0) ?? "nothing" }
        }

        /// A provider in sections by location, bound to the table.
        private func provider(_ query: Query? = nil) throws -> Provider {
            let provider = Provider(context: World)
            answer(table.rows, from: provider)
            provider.bind(table, animation: .fade) { person, _ in "\(person.name) \(person.age)" }
            try provider.load(
                query, orderBy: .Ascending("location") | .Ascending("name"), sectionBy: %"location")
            return provider
        }

        @Test func `a table follows random commits, row by row`() async throws {
            let provider = try provider()
            var random = SeededGenerator(seed: 23)
            try await add((0..<20).map { ("p\($0)", "l\($0 % 4)") })
            for _ in 0..<60 {
                let choices = (0..<4).map { _ in Int.random(in: 0..<200, using: &random) }
                try await World.update { update in
                    for choice in choices {
                        guard let person = try update.first(Person.self, %"name" == "p\(choice % 40)") else {
                            let person = try update.create(Person.self)
                            (person.name, person.location) = ("p\(choice % 40)", "l\(choice % 5)")
                            continue
                        }
                        switch choice % 3 {
                        case 0: try update.delete(person)
                        case 1: person.location = "l\(choice % 5)"
                        default: person.age += 1
                        }
                    }
                    try update.commit()
                }
                try await World.waitUntilListsAreCurrent()
                let expected = provider.results?.sections.map { $0.map { "\($0.name) \($0.age)" } }
                #expect(table.rows.cells == expected && table.rows.problems.isEmpty)
            }
            #expect(table.rows.batches > 30 && table.rows.reloads == 2)
        }

        @Test func `a view that was never drawn asks for its numbers before the first change`() async throws {
            try await add([("Monk", "Taipei")])
            let provider = try provider()
            try await add([("Knight", "Taipei"), ("Farmer", "Rome")])
            #expect(table.rows.problems.isEmpty && table.rows.cells == [["Farmer 0"], ["Knight 0", "Monk 0"]])
            _ = provider
        }

        @Test func `a view that somebody reloads between a change and its batch is not told the batch`() async throws {
            let provider = Provider(context: World)
            answer(table.rows, from: provider)
            let results = try World.fetchedResults(Person.self, orderBy: .Ascending("name"))
            // It hears of each change before the provider.
            let observation = results.observeChanges { _ in provider.filter() }
            provider.bind(table, animation: .fade) { person, _ in person.name }
            provider.show(results)
            for name in ["b", "a"] {
                try await add([(name, "x")])
                _ = table.rows.cells
            }
            #expect(table.rows.problems.isEmpty && table.rows.cells == [["a", "b"]] && table.rows.batches == 0)
            _ = observation
        }

        @Test func `a collection view follows as well`() async throws {
            let view = StandInCollection()
            let provider = Provider(context: World)
            answer(view.rows, from: provider)
            provider.bind(view) { person, _ in person.name }
            try provider.query(orderBy: .Ascending("name"))
            try await add([("b", "x"), ("c", "x")])
            try await World.update { update in
                try update.fetch(Person.self, %"name" == "c").name = "a"
                try update.commit()
            }
            try await World.waitUntilListsAreCurrent()
            #expect(view.rows.cells == [["a", "b"]] && view.rows.problems.isEmpty && view.rows.batches == 2)
        }

        @Test func `another query replaces what is shown, and a refused one does not`() async throws {
            try await add([("Monk", "Taipei"), ("Knight", "Rome")])
            let provider = try provider()
            #expect(throws: FetchError.self) { try provider.load(%"nam" == "x", orderBy: .Ascending("name")) }
            #expect(table.rows.cells == [["Knight 0"], ["Monk 0"]])
            try provider.load(%"name" == "Monk", orderBy: .Ascending("name"))
            #expect(table.rows.cells == [["Monk 0"]] && provider.title(ofSection: 0) == nil)
        }

        @Test func `a condition on single objects holds for the next query as well`() async throws {
            try await add([("Monk", "Taipei"), ("Knight", "Rome"), ("Farmer", "Rome")])
            let provider = try provider()
            try provider.results?.filter { $0.name != "Knight" }
            try provider.load(%"location" == "Rome", orderBy: .Ascending("name"))
            #expect(table.rows.cells == [["Farmer 0"]])
            try provider.results?.filter(nil)
            #expect(table.rows.cells == [["Farmer 0", "Knight 0"]] && table.rows.problems.isEmpty)
        }

        @Test func `a filter over all sections drops and joins them`() async throws {
            try await add([("a", "x"), ("b", "y"), ("c", "z")])
            let provider = try provider()
            provider.objectFilter = { sections in [sections.dropFirst().flatMap { $0 }] }
            #expect(table.rows.cells == [["b 0", "c 0"]] && provider.title(ofSection: 0) == "y")
            let c = try #require(provider.object(at: [0, 1]))
            #expect(provider.indexPath(for: c) == [0, 1] && provider.object(at: [1, 0]) == nil)
            try await add([("d", "z")])
            #expect(table.rows.cells == [["b 0", "c 0", "d 0"]])
            provider.objectFilter = { $0.map { $0.filter { $0.name != "b" } } }
            #expect(table.rows.cells == [["a 0"], [], ["c 0", "d 0"]] && provider.title(ofSection: 1) == "y")
            provider.objectFilter = nil
            #expect(provider.numberOfSections == 3 && table.rows.problems.isEmpty)
        }

        @Test func `titles, index, deletable cells and notices are the application's`() async throws {
            try await add([("a", "Rome"), ("b", "Riga"), ("c", "Bern")])
            let provider = try provider()
            var notices = 0
            provider.onDataChanged = { notices += 1 }
            #expect(provider.title(ofSection: 0) == "Bern" && provider.title(ofSection: 3) == nil)
            #expect(provider.sectionIndex == nil && !provider.canDelete(at: [0, 0]))
            provider.onGetSectionTitle = { name, section in "\(section + 1). \(name)" }
            provider.onGetIndexTitle = { $0.first.map(String.init) }
            provider.onCanDeleteCell = { person, _ in person.name == "a" }
            #expect(provider.title(ofSection: 1) == "2. Riga" && provider.sectionIndex?.titles == ["B", "R"])
            #expect(provider.sectionIndex?.section(at: 1) == 1 && provider.sectionIndex?.section(at: 2) == nil)
            #expect(
                provider.canDelete(at: [2, 0]) && !provider.canDelete(at: [0, 0]) && !provider.canDelete(at: [9, 9]))
            try await add([("d", "Bern")])
            #expect(notices == 1)
        }

        @Test func `a reset empties the view, and a reload fills it`() async throws {
            try await add([("a", "x")])
            let provider = try provider()
            World.reset()
            #expect(provider.numberOfSections == 0 && table.rows.cells.isEmpty)
            try provider.reload()
            #expect(table.rows.cells == [["a 0"]])
            try await add([("b", "x")])
            #expect(table.rows.cells == [["a 0", "b 0"]] && table.rows.problems.isEmpty)
        }

        @Test func `an observer may fetch again as soon as it hears that there are no results`() async throws {
            try await add([("a", "x")])
            let provider = try provider()
            let results = try #require(provider.results)
            let observation = results.observeChanges { changes in
                if changes.requiresFetch { #expect(throws: Never.self) { try results.reload() } }
            }
            World.reset()
            #expect(table.rows.cells == [["a 0"]] && table.rows.problems.isEmpty)
            _ = observation
        }

        @Test func `a provider does not keep its view, and is not kept by it`() async throws {
            let provider = Provider(context: World)
            var view: StandInTable? = StandInTable()
            weak let weakView = view
            provider.bind(view!, animation: .fade) { person, _ in person.name }
            try provider.load(orderBy: .Ascending("name"))
            view = nil
            #expect(weakView == nil)
            try await add([("a", "x")])
            #expect(provider.numberOfObjects(inSection: 0) == 1)
        }
    }
#endif
