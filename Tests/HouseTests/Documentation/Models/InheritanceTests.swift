#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    @Entity(isAbstract: true) class Vehicle: ManagedObject {
        var wheels: Int = 4
        @Relationship(inverse: \Garage.vehicles) var garage: Garage?
    }

    @Entity class Car: Vehicle {
        var seats: Int = 5
    }

    @Entity final class Taxi: Car {
        var licence: String = ""
    }

    @Entity final class Lorry: Vehicle {
        var tonnes: Double = 0
    }

    @Entity final class Garage: ManagedObject {
        var vehicles: Set<Vehicle>
    }

    @Suite struct InheritanceTests {
        @Test func `fetches of a tree`() async throws {
            let stack = try Stack(Garage.self, Car.self, Taxi.self, Lorry.self)
            try stack.addInMemoryStore()
            let context = try Context(stack: stack)
            try await context.update { update in
                _ = (try update.create(Car.self), try update.create(Taxi.self), try update.create(Lorry.self))
                #expect(throws: ModelError.self) { try update.create(Vehicle.self) }
                try update.commit()
            }
            try await context.read { reader in
                let all = try reader.fetchAll(Vehicle.self, %"wheels" >= 4)  // cars, taxis and lorries
                let cars = try reader.fetchAll(Car.self)  // taxis as well
                let plain = try reader.fetchAll(Car.self, options: .NoSubEntities)  // no taxis

                for vehicle in all {
                    switch vehicle {
                    case let lorry as Lorry: print(lorry.tonnes)
                    case let car as Car: print(car.seats)
                    default: break
                    }
                }
                #expect([all.count, cars.count, plain.count] == [3, 2, 1])
                #expect(cars.count { $0 is Taxi } == 1)
                let error = #expect(throws: FetchError.self) { try reader.fetchAll(Vehicle.self, %"seats" == 7) }
                #expect(error?.code == .unknownKey && error?.message.contains("seats") == true)
            }
        }

        @Test func `one table for the tree, and a sub-entity that is not named does not exist`() async throws {
            try await withTemporaryStore { url in
                let recorder = StatementRecorder()
                let stack = try Stack(Garage.self, Car.self, Lorry.self, trace: recorder.trace)
                try stack.addDatabaseStore(fileURL: url)
                #expect(stack.model.entitiesByName["Taxi"] == nil)
                let tables = recorder.all.filter { $0.sql.hasPrefix("CREATE TABLE Z") }.map(\.sql)
                #expect(tables.contains { $0.hasPrefix("CREATE TABLE ZVEHICLE ") && $0.contains("ZTONNES") })
                #expect(!tables.contains { $0.hasPrefix("CREATE TABLE ZCAR") })
                let context = try Context(stack: stack)
                let reading = try await recorder.recording {
                    _ = try await context.read { try $0.fetchAll(Vehicle.self).count }
                }
                #expect(reading.filter { $0.kind == .select }.map { $0.sql.contains("JOIN") } == [false])
                await #expect(throws: ModelError.self) {
                    try await context.update { update in _ = try update.create(Taxi.self) }
                }
                try stack.close()
            }
        }
    }
#endif
