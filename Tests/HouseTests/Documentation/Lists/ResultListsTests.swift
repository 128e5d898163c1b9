#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite @MainActor struct ResultListsTests {
        @Test func `a list shows, tells and filters`() async throws {
            let World = try await Village().world
            let people = try World.fetchedResults(
                Person.self, %"age" >= 18, orderBy: .Ascending("location") | .Ascending("name"), sectionBy: %"location")

            for section in people.sections {
                print(section.name, section.count)
                for person in section { print(person.name) }
            }
            #expect(people.sections.map(\.name) == ["", "Taipei"] && people.count == 4)

            let observation = people.observeChanges { changes in
                for change in changes.sections { print(change.kind, change.index, change.name) }
                for change in changes.objects {
                    switch change.kind {
                    case .delete(let old): print("gone from", old)
                    case .insert(let new): print("new at", new)
                    case .move(let old, let new): print("from", old, "to", new)
                    case .update(_, let new): print("other values at", new)
                    }
                }
            }

            let text = "M"
            try people.filter { $0.name.hasPrefix(text) }
            #expect(people.objects.map(\.name) == ["Monk"])
            observation.cancel()
        }

        @Test func `a view is bound`() async throws {
            let World = try await Village().world
            let table = SilentTable()
            let provider = ListDataProvider<Person, String>(context: World).bind(table, animation: .fade) {
                person, indexPath in
                "\(indexPath.item + 1). \(person.name)"
            }
            provider.onGetIndexTitle = { $0.first.map(String.init) }
            try provider.load(
                %"age" >= 18, orderBy: .Ascending("location") | .Ascending("name"), sectionBy: %"location")
            #expect(provider.cell(at: [1, 0])?.hasPrefix("1. ") == true && provider.sectionIndex?.titles == ["T"])
        }

        @Test func `a value follows`() async throws {
            let World = try await Village().world
            let following = Task {
                let adults = World.observeValue { reader in
                    try reader.count(Person.self, %"age" >= 18)
                }
                for try await count in adults {
                    print(count, "adults")
                }
            }
            following.cancel()
            try await following.value
        }

        @Test func `objects follow on the main actor`() async throws {
            let World = try await Village().world
            let id = try World.fetch(Person.self, %"name" == "Monk").objectID
            let following = Task {
                for try await monk in World.observeOnMain({ world in try world.use(id) }) {
                    print(monk.name, monk.friend?.name ?? "")
                }
            }
            following.cancel()
            try await following.value
        }

        @Test func `a property follows`() async throws {
            let World = try await Village().world
            let monk = try World.fetch(Person.self, %"name" == "Monk")
            let observation = try monk.observe(\.age) { monk, change in
                print(monk.name, change.oldValue, change.newValue)
            }
            observation.cancel()
        }

        @Test func `a snapshot follows`() async throws {
            let people = try await Village().world.fetchedResults(Person.self, orderBy: .Ascending("name"))
            let following = Task {
                var snapshot = people.snapshot
                for await changes in people.changes {
                    if !snapshot.apply(changes) { snapshot = people.snapshot }
                }
            }
            following.cancel()
            await following.value
            #expect(people.count == 4)
        }
    }
#endif
