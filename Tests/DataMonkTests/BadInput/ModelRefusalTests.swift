#if Macros
    import DataMonk
    import Testing

    /// Classes that make no sound model.
    private enum Unsound {
        /// Without `@Entity`.
        final class Nameless: ManagedObject {}

        @Entity final class Lonely: ManagedObject { var nameless: Nameless? }

        @Entity final class Shared: ManagedObject { var name: String = "" }

        /// What `Office.Badge` is called, once more.
        @Entity("Badge") final class Double: ManagedObject { var other: Office.Badge? }
    }

    @Suite struct `Models that are refused` {
        private func problems(_ body: () throws -> Void) throws -> [ModelError.Problem] {
            let error = try #require(throws: ModelError.self) { try body() }
            #expect(error.code == .invalidModel)
            return error.problems
        }

        @Test func `a class without an entity is named, with the remedy`() throws {
            for make in [{ _ = try Stack(Unsound.Nameless.self) }, { _ = try Stack(Unsound.Lonely.self) }] {
                let problems = try problems(make)
                #expect(problems.map(\.kind) == [.missingEntity])
                #expect(problems[0].message.contains("Nameless") && problems[0].message.contains("@Entity"))
            }
        }

        @Test func `two classes of one name are named`() throws {
            let problems = try problems { _ = try Stack(Unsound.Double.self) }
            #expect(problems.contains { $0.kind == .duplicateName && $0.entityName == "Badge" })
        }

        @Test func `a class that stands for two entities is named`() throws {
            let problems = try problems {
                _ = try ManagedObjectModel {
                    EntityDescription("One", managedObjectClass: Unsound.Shared.self) {
                        AttributeDescription("a", .string)
                    }
                    EntityDescription("Two", managedObjectClass: Unsound.Shared.self) {
                        AttributeDescription("a", .string)
                    }
                }
            }
            #expect(problems.map(\.kind) == [.duplicateClass])
            #expect(problems[0].message.contains("One") && problems[0].message.contains("Shared"))
        }

        @Test func `inverses that do not name each other are named`() throws {
            let problems = try problems {
                _ = try ManagedObjectModel {
                    EntityDescription("Employee") {
                        RelationshipDescription("department", to: "Department", inverse: "staff")
                        RelationshipDescription("former", to: "Department", inverse: "staff")
                    }
                    EntityDescription("Department") {
                        RelationshipDescription("staff", to: "Employee", inverse: "department", isToMany: true)
                        RelationshipDescription("bosses", to: "Employee", inverse: "nobody", isToMany: true)
                    }
                }
            }
            #expect(problems.contains { $0.kind == .inverseMismatch && $0.propertyName == "former" })
            #expect(problems.contains { $0.kind == .unknownInverse && $0.propertyName == "bosses" })
        }

        @Test func `inverses that name each other are welcome`() throws {
            let model = try ManagedObjectModel {
                EntityDescription("Employee") {
                    RelationshipDescription("department", to: "Department", inverse: "staff")
                }
                EntityDescription("Department") {
                    RelationshipDescription("staff", to: "Employee", inverse: "department", isToMany: true)
                }
            }
            #expect(model.entitiesByName["Department"]?.relationship(named: "staff")?.inverse?.name == "department")
        }

        @Test func `every problem is told at once`() throws {
            let problems = try problems {
                _ = try ManagedObjectModel {
                    EntityDescription("1st") { AttributeDescription("name", .string, defaultValue: 7) }
                    EntityDescription("Child", superentityName: "Parent") {
                        RelationshipDescription("home", to: "House")
                    }
                }
            }
            #expect(
                Set(problems.map(\.kind)).isSuperset(
                    of: [.illegalName, .invalidDefault, .unknownSuperentity, .unknownDestination]))
        }
    }

    @Suite struct `Uses that are refused` {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack(.file)
            context = office.newContext()
        }

        private func fetchError(
            _ condition: Condition, _ change: (inout FetchRequest) -> Void = { _ in }
        ) throws -> FetchError {
            var request = FetchRequest(entityName: "Employee", condition: condition)
            change(&request)
            return try #require(throws: FetchError.self) { try context.fetch(request) }
        }

        @Test func `a class that the model does not have is named`() async throws {
            let context = try Context(stack: office.stack)
            let error = await #expect(throws: ModelError.self) {
                try await context.update { update in _ = try update.create(Person.self) }
            }
            #expect(error?.code == .unknownClass && error?.message.contains("Person") == true)
            let fetching = await #expect(throws: ModelError.self) {
                try await context.read { reader in try reader.count(Person.self) }
            }
            #expect(fetching?.code == .unknownClass)
        }

        @Test func `an abstract entity has no objects`() throws {
            let model = try ManagedObjectModel {
                EntityDescription("Shape", isAbstract: true) { AttributeDescription("a", .string) }
            }
            let stack = Stack(model: model)
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let error = try #require(throws: ModelError.self) { try context.insert(model.entities[0]) }
            #expect(error.code == .abstractEntity && error.message.contains("Shape"))
        }

        @Test func `an unknown key path is named, with the nearest right one`() throws {
            let error = try fetchError(.compare("nmae", .equal, "Monk"))
            #expect(error.code == .unknownKey && error.keyPath == "nmae" && error.message.contains("name"))
            #expect(try fetchError(.compare("department.nmae", .equal, "x")).code == .unknownKey)
            #expect(try fetchError(.compare("name.first", .equal, 1)).code == .invalidKeyPath)
            #expect(try fetchError(.compare("", .equal, 1)).code != .objectNotFound)
            #expect(try fetchError(.constant(true)) { $0.sortTerms = [SortTerm("friends")] }.entityName == "Employee")
            let prefetching = try fetchError(.constant(true)) { $0.relationshipKeyPathsForPrefetching = ["nobody"] }
            #expect(prefetching.code == .unknownKey)
            #expect(try fetchError(.constant(true)) { $0.entityName = "Nobody" }.code == .unknownEntity)
        }

        @Test func `a value of another type is named by the key it was meant for`() throws {
            let error = try fetchError(.compare("age", .equal, "eighteen"))
            #expect(error.code == .typeMismatch && error.keyPath == "age" && error.message.contains("age"))
            #expect(!error.message.contains("eighteen"))
            #expect(try fetchError(.compare("name", .lessThan, 1)).code == .typeMismatch)
            #expect(try fetchError(.compare("department", .equal, 1)).code == .typeMismatch)
        }

        @Test func `fetchOrCreate takes equalities alone`() async throws {
            let context = try Context(stack: office.stack)
            for query in [%"age" > 18, %"name" == "a" || %"name" == "b", %"department.name" == "kitchen"] {
                let error = await #expect(throws: FetchError.self) {
                    try await context.update { update in _ = try update.fetchOrCreate(Office.Employee.self, query) }
                }
                #expect(error?.code == .unsupportedCondition)
            }
        }

        @Test func `a set-up that needs what is not there is refused`() throws {
            let stack = Stack(model: try Office.model.get(), rootContext: .none)
            let make = [
                { _ = try Context(stack: stack, updateTarget: .rootContext(autoMerge: false)) },
                { _ = try Context(stack: stack, updateTarget: .mainContext) },
                { _ = try Context(stack: stack, updateTarget: .rootContext(autoMerge: true)) },
            ]
            for make in make {
                let error = #expect(throws: UpdateError.self) { try make() }
                #expect(error?.code == .invalidTarget)
            }
        }

        @Test func `a stack without a store says so`() throws {
            let context = ManagedObjectContext(coordinator: Stack(model: try Office.model.get()).coordinator)
            let fetching = #expect(throws: StoreError.self) { try context.all(Office.Employee.self) }
            #expect(fetching?.message.contains("addDatabaseStore") == true)
            _ = try context.employee("Monk")
            #expect(throws: (any Error).self) { try context.save() }
            #expect(context.hasChanges)
        }

        @Test func `a closed stack answers with errors`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            _ = try context.all(Office.Employee.self)
            let other = office.newContext()
            let fault = try other.own(monk)
            try other.refresh(fault, mergeChanges: false)
            monk.age = 1
            try office.stack.close()
            #expect(throws: (any Error).self) { try context.all(Office.Employee.self) }
            #expect(throws: (any Error).self) { try context.save() }
            #expect(monk.age == 1 && context.hasChanges)
            let new = office.newContext()
            _ = try new.employee("Novice")
            let error = #expect(throws: (any Error).self) { try new.save() }
            #expect("\(error.map { "\($0)" } ?? "")".contains("stack was closed"))
            _ = (fault.name, fault.age, monk.friends, monk.department)
            #expect(throws: (any Error).self) { try other.all(Office.Employee.self) }
        }
    }
#endif
