import DataMonk

extension Tour {
    func createPeople() async throws {
        narrator.step("Create a farmer, a monk and a warrior, and a knight unless there is one. Commit.")
        try await World.update { update in
            let farmer = try update.create(Person.self)
            farmer.name = "Farmer"
            farmer.age = 28

            let knight = try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18)
            knight.friend = farmer

            let monk = try update.create(Person.self)
            monk.name = "Monk"
            monk.age = 44
            monk.location = "Taipei"
            monk.friend = knight

            let warrior = try update.create(Person.self)
            warrior.name = "Warrior"
            warrior.age = 30
            warrior.location = "Taipei"

            try update.commit()
        }
        narrator.result("\(try World.count(Person.self)) people are on disk.")
    }

    func useAnObject() async throws {
        narrator.step("Take a fetched object along into an update, where it may be changed.")
        let warrior = try World.fetch(Person.self, %"name" == "Warrior" && %"location" == "Taipei")
        let handle = World.beginUpdate(using: warrior.objectID) { update, warrior in
            let monk = try update.fetch(Person.self, %"name" == "Monk")
            monk.friend = warrior
            try update.commit()
        }
        try await handle.value
        narrator.result("The warrior's friends: \(warrior.friends.map(\.name))")
    }

    func updateFromACallback() async throws {
        narrator.step("Ask a server that calls back on a thread of its own; the update goes on there.")
        let server = RemoteServer()
        let context = World.beginUpdateContext()
        let goesOn = try await context.perform { update in
            let monk = try update.fetch(Person.self, %"name" == "Monk")
            let (id, name, location) = (monk.objectID, monk.name, monk.location)
            return await withCheckedContinuation { continuation in
                server.findAge(name, location: location) { age in
                    let handle = context.beginPerform { update in
                        let monk = try update.use(id)
                        monk.age = age
                        try update.commit()
                    }
                    continuation.resume(returning: handle)
                }
            }
        }
        try await goesOn.value
        narrator.result(try World.fetch(Person.self, %"name" == "Monk").summary)

        narrator.step("The same with a server that can be awaited: one block, and the object stays at hand.")
        try await World.update { update in
            let knight = try update.fetch(Person.self, %"name" == "Knight")
            knight.age = await server.age(of: knight.name)
            try update.commit()
        }
        narrator.result(try World.fetch(Person.self, %"name" == "Knight").summary)
    }

    func updateInSteps() async throws {
        narrator.step("An update of several steps: nobody else sees anything before the commit in the last one.")
        let context = World.beginUpdateContext()
        for name in ["Miller", "Smith"] {
            try await context.perform { update in
                try update.create(Person.self).name = name
            }
            narrator.result("\(name) created; the store has \(try World.count(Person.self)) people.")
        }
        try await context.perform { update in try update.commit() }
        narrator.result("Committed; the store has \(try World.count(Person.self)) people.")
    }

    func takeBack() async throws {
        narrator.step("Change a name, and roll back.")
        let name = try await World.update { update in
            let monk = try update.fetch(Person.self, %"name" == "Monk")
            monk.name = "Abbot"
            update.rollback()
            return monk.name
        }
        narrator.result("The name is \(name) again.")
    }

    func deletePeople() async throws {
        narrator.step("Delete one person, and all that meet a condition. Whose friend is gone has none.")
        let count = try await World.update { update in
            try update.delete(update.fetch(Person.self, %"name" == "Warrior"))
            let count = try update.deleteAll(Person.self, %"age" == 0)
            try update.commit()
            return count
        }
        narrator.result("1 and \(count) deleted, \(try World.count(Person.self)) left.")
        narrator.result(try World.fetch(Person.self, %"name" == "Monk").summary)
    }

    func observeCommits() async throws {
        narrator.step("Hear of each commit, for as long as the observer is kept.")
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        let observer = World.observeCommit { call.yield() }
        try await World.update { update in
            try update.fetch(Person.self, %"name" == "Farmer").age += 1
            try update.commit()
        }
        for await _ in calls { break }
        observer.cancel()
        narrator.result("Heard of it.")
    }

    func updateInOrder() async throws {
        narrator.step("In serial order, ten updates that each wait between reading and writing lose nothing.")
        let serial = try MainContext(stack: stack, updateOrder: .serial)
        let handles = (1...10).map { _ in
            serial.beginUpdate { update in
                let farmer = try update.fetch(Person.self, %"name" == "Farmer")
                let age = farmer.age
                await Task.yield()
                farmer.age = age + 1
                try update.commit()
            }
        }
        for handle in handles { try await handle.value }
        narrator.result(try World.fetch(Person.self, %"name" == "Farmer").summary)
    }

    func keepInMemory() async throws {
        narrator.step("The same in memory: gone with the stack, and nothing on disk.")
        let stack = try Stack(Person.self)
        try stack.addInMemoryStore()
        let world = try MainContext(stack: stack)
        try await world.update { update in
            try update.create(Person.self).name = "Ghost"
            try update.commit()
        }
        narrator.result("\(try world.count(Person.self)) person, \(try world.fetch(Person.self).name).")
    }
}
