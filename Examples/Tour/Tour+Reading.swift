import DataMonk

extension Tour {
    func fetch() throws {
        narrator.step("Fetch the monk, and follow its friendships.")
        let monk = try World.fetch(Person.self, %"name" == "Monk")
        narrator.result(monk.summary)
        narrator.result("The farmer's friends: \(monk.friend?.friend?.friends.map(\.name).sorted() ?? [])")
    }

    func fetchWithConditions() throws {
        narrator.step("Fetch everybody who is grown up or in Taipei, in an order, and not too many.")
        let people = try World.fetchAll(
            Person.self, %"age" >= 18 || %"location" == "Taipei",
            orderBy: .Ascending("name") | .Descending("age"), options: .Limit(100) | .Offset(1))
        for person in people { narrator.result(person.summary) }
    }

    func queryValues() throws {
        narrator.step("Ask for one value: the average age.")
        let age = try World.queryValue(Person.self, .Average("age"))
        narrator.result("\(Double(managedValue: age) ?? 0)")

        narrator.step("Ask for a table: how many people a place has, and their average age, without those of no place.")
        let rows = try World.query(
            Person.self, .Select("location") | .Count("name", alias: "people") | .Average("age"),
            %"location" != nil, orderBy: .Descending("location"), groupBy: %"location")
        for row in rows {
            let location = String(managedValue: row["location"] ?? nil) ?? ""
            let people = Int(managedValue: row["people"] ?? nil) ?? 0
            let age = Double(managedValue: row["age"] ?? nil) ?? 0
            narrator.result("\(location): \(people) people of \(age) years")
        }
    }

    func readElsewhere() async throws {
        narrator.step("Read off the main actor, many at once; what returns is values.")
        async let names = World.read { reader in
            try reader.fetchAll(Person.self, orderBy: .Ascending("name")).map(\.name)
        }
        async let oldest = World.read { reader in
            Int(managedValue: try reader.queryValue(Person.self, .Max("age"))) ?? 0
        }
        narrator.result("\(try await names), the oldest of age \(try await oldest)")
    }

    func seeAnError() throws {
        narrator.step("Misspell a key, and look for somebody who is not there.")
        do {
            _ = try World.fetchAll(Person.self, %"nmae" == "Monk")
        } catch let error as FetchError {
            narrator.result("\(error.code.rawValue): \(error.message)")
        }
        do {
            _ = try World.fetch(Person.self, %"name" == "Emperor")
        } catch let error as FetchError where error.code == .objectNotFound {
            narrator.result("\(error.code.rawValue): \(error.message)")
        }
    }
}
