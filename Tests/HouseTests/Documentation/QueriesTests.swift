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
