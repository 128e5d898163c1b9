#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite @MainActor struct QueriesTests {
        @Test func `conditions find objects`() async throws {
            let World = try await Village().world
            let grown = try World.fetchAll(Person.self, %"age" >= 18 && !(%"location" == "Taipei"))
            let admired = try World.fetchAll(Person.self, %"friends.age"%.any > 40 || %"friends.@count" > 2)
            #expect(Set(grown.map(\.name)) == ["Farmer", "Knight"])
            #expect(admired.map(\.name) == ["Knight"])
        }

        @Test func `lists and bounds`() async throws {
            let World = try await Village().world
            let young = try World.fetchAll(Person.self, %"age"%.between(13...19) || %"name"%.in(["Farmer", "Knight"]))
            let unplaced = try World.fetchAll(Person.self, %"location"%.in(["Rome", nil]))
            #expect(Set(young.map(\.name)) == ["Farmer", "Knight"])
            #expect(Set(unplaced.map(\.name)) == ["Farmer", "Knight"])
        }

        @Test func `one object, or none`() async throws {
            let World = try await Village().world
            if let monk = try World.first(Person.self, %"name" == "Monk") { print(monk.age) }
            let youngest = try World.first(Person.self, orderBy: .ascending(\.age)) { $0.location == "Taipei" }
            let isTaken = try World.exists(Person.self) { $0.name == "Abbot" }
            #expect(youngest?.name == "Warrior" && !isTaken)
        }

        @Test func `typed keys of every call`() async throws {
            let World = try await Village().world
            let oldest = try World.fetch(Person.self, orderBy: .descending(\.age))
            let taipei = try World.fetchAll(Person.self, %"location" == "Taipei", orderBy: .ascending(\Person.name))
            let lists = try World.fetchedResults(
                Person.self, orderBy: .ascending(\.location) | .ascending(\.name), sectionBy: \.location
            ) { $0.age >= 18 }
            #expect(oldest.name == "Monk" && taipei.map(\.name) == ["Monk", "Warrior"])
            #expect(lists.sections.map(\.name) == ["", "Taipei"])

            try await World.update { update in
                try update.batchUpdate(Person.self, set: [.set(\.location, to: "Rome"), .set(\.age) { $0.age + 1 }]) {
                    $0.friend.name == "Monk"
                }
                try update.batchDelete(Person.self) { $0.age > 100 }
            }
            #expect(try !World.exists(Person.self, %"location" == "Rome") && World.count(Person.self) == 4)
        }

        @Test func `what was fetched is filtered further`() async throws {
            let World = try await Village().world
            let people = try World.fetchAll(Person.self)
            let grown = try people.filtered(using: %"age" >= 18)
            let byName = try grown.sorted(using: .Ascending("name"))
            let isGrown = try (%"age" >= 18).evaluate(with: byName[0])
            #expect(Set(grown).isSubset(of: people))
            #expect(byName.map(\.name) == grown.map(\.name).sorted())
            #expect(isGrown)
        }

        @Test func `conditions hold for plain data`() throws {
            let order: ManagedValue = ["total": 12.5, "lines": [["tea": 2], ["tea": 40]]]
            let isLarge = try Condition(format: "ANY lines.tea > $limit").evaluate(
                with: order, substitutionVariables: ["limit": 10])
            #expect(isLarge)
        }

        @Test func `every condition of the table is one`() async throws {
            let World = try await Village().world
            let friend = try World.fetch(Person.self, %"name" == "Farmer")
            let conditions: [(Query, [String])] = [
                (%"name" == %"location", []),
                (%"location" == nil, ["Farmer", "Knight"]),
                (%"friend" == friend.objectID, ["Knight"]),
                (%"friend.age" > 20, ["Knight"]),
                (%"friend.age" > %"age", ["Knight"]),
                (%"friends.age"%.all > 40 && %"friends.@count" > 0, ["Knight"]),
            ]
            for (condition, names) in conditions {
                #expect(try World.fetchAll(Person.self, condition, orderBy: .Ascending("name")).map(\.name) == names)
            }
        }

        @Test func `four spellings find the same`() async throws {
            let World = try await Village().world
            // String keys
            _ = try World.fetchAll(
                Person.self, %"age" >= 18 && %"friend.location" == "Taipei", orderBy: .Ascending("name"))

            // Typed keys
            _ = try World.fetchAll(Person.self, orderBy: .ascending(\.name)) {
                $0.age >= 18 && $0.friend.location == "Taipei"
            }

            // Format strings
            _ = try World.fetchAll(
                Person.self, .Where("age >= %d AND friend.location == %@", 18, "Taipei"), orderBy: .Ascending("name"))

            // Foundation's predicates
            _ = try World.fetchAll(
                Person.self, .Predicate(#Predicate<Person> { $0.age >= 18 && $0.friend?.location == "Taipei" }),
                orderBy: .Ascending("name"))
        }

        @Test func `typed keys and predicates`() async throws {
            let World = try await Village().world
            let admirers = try World.fetchAll(Person.self, orderBy: .descending(\.friend.age) | .ascending(\.name)) {
                person in
                person.friends.any { $0.age < person.age } || person.friend.name.begins(with: "F")
            }
            let grown = #Predicate<Person> { (person: Person) -> Bool in person.age >= 18 && person.name != "Monk" }
            let known = #Predicate<Person> { (person: Person) -> Bool in person.friend?.location == "Taipei" }
            let liked = #Predicate<Person> { (person: Person) -> Bool in person.friends.contains { $0.age > 40 } }
            let people = try World.fetchAll(Person.self, .Predicate(grown) && (.Predicate(known) || .Predicate(liked)))
            #expect(admirers.map(\.name) == ["Knight", "Farmer"])
            #expect(people.map(\.name) == ["Knight"])
        }

        struct Place: Decodable {
            var location: String?
            var mean: Decimal
        }

        @Test func `rows have types`() async throws {
            let World = try await Village().world
            let places = try World.query(
                Person.self, .select(\.location), .average(\.age), .count, orderBy: .descending(.average(\.age)),
                groupBy: .key(\.location), having: { $0[.count] > 1 }, where: { $0.age >= 18 })
            for (location, mean, people) in places { print(location ?? "nowhere", mean ?? 0, people) }

            let decades = try World.query(
                Person.self, .select { $0.name }, .select { $0.age / 10 }, orderBy: .ascending(\.name))
            let total = try World.queryValue(Person.self, .sum { $0.age * 2 - 1 }) { $0.location == "Taipei" }
            let ages = try World.query(Person.self, .select(\.age), orderBy: .ascending(\.name))
            let inTaipei = try World.query(Person.self, .select(\.age), where: { $0.location == "Taipei" })
            #expect(decades.map(\.1) == ages.map { $0 / 10 })
            #expect(total == Decimal(inTaipei.reduce(0) { $0 + $1 * 2 - 1 }))

            let decoded = try World.query(
                Person.self, .Select("location") | .Average("age", alias: "mean"), groupBy: %"location", as: Place.self)

            let mean = try World.queryValue(Person.self, .average(\.age)) { $0.location == "Taipei" }
            #expect(places.map(\.1) == [37, 23] && Set(decoded.map(\.mean)) == [37, 23] && mean == 37)
        }

        @Test func `order and options`() async throws {
            let World = try await Village().world
            let page = try World.fetchAll(
                Person.self, orderBy: .Ascending("friend.name") | .Descending("age"),
                options: .Limit(100) | .Offset(200))
            #expect(page.isEmpty)
            let options: [QueryOptions] = [
                .Batch(50), .Prefetch(["friends"]), .PropertiesOnly(["name"]), .NoPropertyValues, .NoSubEntities,
                .NoPendingChanges, .Tweak { $0.fetchLimit = 4 },
            ]
            for option in options { #expect(try World.fetchAll(Person.self, options: option).count == 4) }
        }

        @Test func `an array in batches`() async throws {
            let World = try await Village().world
            for person in try World.fetchBatched(Person.self, orderBy: .Ascending("name"), options: .Batch(100)) {
                print(person.name)
            }
        }

        @Test func `fetches that the model names`() async throws {
            let templates = [FetchRequestTemplate("olderThan", entityName: "Person", predicateFormat: "age > $AGE")]
            let model = try ManagedObjectModel(classes: [Person.self], fetchRequestTemplates: templates)
            let stack = Stack(model: model)
            try stack.addInMemoryStore()
            let World = try MainContext(stack: stack)
            let old = try World.fetchAll(Person.self, template: "olderThan", ["AGE": 30], orderBy: .Ascending("name"))
            #expect(old.isEmpty)
        }

        @Test func `explanations and typed values`() async throws {
            let World = try await Village().world
            print(try World.explain(Person.self, %"location" == "Taipei" && %"age" >= 18))
            let mean = try World.queryValue(Person.self, .Average("age"), as: Double.self)
            let doubled = try World.query(Person.self, .Select("name") | .Expression("age * %d", 2, alias: "twice"))
            #expect(mean != nil && doubled.count == 4)
        }

        @Test func `values come in rows`() async throws {
            let World = try await Village().world
            let rows = try World.query(
                Person.self, .Select("location") | .Count("self", alias: "people") | .Average("age", alias: "mean"),
                %"location" != nil, orderBy: .Descending("mean"), groupBy: %"location", having: %"mean" > 18)
            for row in rows {
                print(row["location"] ?? nil, row["people"] ?? nil, row["mean"] ?? nil)
            }
            let oldest = try World.queryValue(Person.self, .Max("age"))
            let age = Int(managedValue: oldest)
            #expect(rows == [["location": "Taipei", "people": 2, "mean": .decimal(37)]])
            #expect(age == 44)
        }
    }
#endif
