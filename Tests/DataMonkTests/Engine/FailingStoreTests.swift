#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// What happens to objects and changes when the store fails.
    @Suite struct `A store that fails` {
        /// Writes what is there beforehand: the coordinator under test has no row of it in its cache.
        private let writer: PersistentStoreCoordinator
        private let coordinator: PersistentStoreCoordinator
        private let store: FaultInjectingStore
        private let context: ManagedObjectContext
        private let errors = Locked<[any Error]>([])

        init() throws {
            writer = PersistentStoreCoordinator(model: try Office.model.get())
            let memory = InMemoryStore(directory: writer.directory, index: 0)
            try writer.add(memory)
            coordinator = PersistentStoreCoordinator(model: try Office.model.get())
            store = FaultInjectingStore(memory)
            try coordinator.add(store)
            let errors = errors
            coordinator.setErrorHandler { error in errors.withLock { $0.append(error) } }
            context = ManagedObjectContext(coordinator: coordinator)
        }

        /// An employee of a department, which the context knows neither of.
        private func makeEmployee() throws {
            let writing = ManagedObjectContext(coordinator: writer)
            let monk = try writing.employee("Monk")
            monk.department = try writing.department("kitchen")
            try writing.save()
        }

        /// A fault whose row the store will not give the next time.
        private func failingFault() throws -> Office.Employee {
            try makeEmployee()
            let monk = try #require(try context.all(Office.Employee.self).first)
            try context.refresh(monk, mergeChanges: false)
            context.endTurn()
            store.fail(.read)
            return monk
        }

        @Test(arguments: [FaultInjectingStore.Place.begin, .write, .commit])
        func `a save that the store fails leaves every change, and the next one succeeds`(
            place: FaultInjectingStore.Place
        ) throws {
            try makeEmployee()
            let monk = try #require(try context.all(Office.Employee.self).first)
            monk.age = 18
            let new = try context.employee("new")
            new.department = monk.department
            store.fail(place)
            let error = try #require(throws: StoreError.self) { try context.save() }
            #expect(error.message == "This failure was injected by a test.")
            #expect(monk.isUpdated && new.isInserted && new.objectID.isTemporaryID && context.hasChanges)
            let reading = ManagedObjectContext(coordinator: coordinator)
            #expect(try reading.count(FetchRequest(entityName: "Employee")) == 1)
            try context.save()
            #expect(!context.hasChanges && !new.objectID.isTemporaryID)
            #expect(try reading.count(FetchRequest(entityName: "Employee")) == 2)
        }

        @Test(arguments: [FaultInjectingStore.Place.openReader, .read])
        func `a fetch that the store fails throws, and the next one answers`(place: FaultInjectingStore.Place) throws {
            try makeEmployee()
            store.fail(place)
            #expect(throws: StoreError.self) { try context.all(Office.Employee.self) }
            #expect(try context.all(Office.Employee.self).count == 1)
        }

        /// Deletes the department, whose objects have not been read and cannot be the next time.
        private func deleteDepartment() throws -> Office.Department {
            let kitchen = try #require(try context.all(Office.Department.self).first)
            context.delete(kitchen)
            context.endTurn()
            store.fail(.read)
            return kitchen
        }

        @Test func `a deletion whose rules cannot read whom they are about is not saved, and the next time is`() throws
        {
            try makeEmployee()
            let kitchen = try deleteDepartment()
            #expect(throws: StoreError.self) { try context.save() }
            #expect(kitchen.isDeleted && context.hasChanges)
            try context.save()
            let monk = try #require(try ManagedObjectContext(coordinator: coordinator).all(Office.Employee.self).first)
            #expect(try monk.value(forKey: "department") == .null)
        }

        @Test func `the end of an event reports what it could not read, and the save does the rest`() throws {
            try makeEmployee()
            _ = try deleteDepartment()
            context.processPendingChanges()
            #expect(errors.withLock { $0.count } == 1)
            let monk = try #require(try context.all(Office.Employee.self).first)
            try context.save()
            #expect(monk.department == nil && !context.hasChanges)
        }

        @Test func `a deletion is not let through where it cannot be read whether it is denied`() throws {
            let writing = ManagedObjectContext(coordinator: writer)
            let project = try writing.insert(Office.Project.self)
            project.department = try writing.department("kitchen")
            try writing.save()
            let kitchen = try #require(try context.all(Office.Department.self).first)
            #expect(kitchen.employees.isEmpty)
            context.delete(kitchen)
            context.processPendingChanges()
            context.endTurn()
            store.fail(.read)
            #expect(throws: StoreError.self) { try context.save() }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .relationshipDeniedDelete)
        }

        @Test func `a property whose row cannot be read is empty this once, and the error is reported`() throws {
            let monk = try failingFault()
            #expect(monk.name == "")
            #expect(errors.withLock { $0.count } == 1)
            #expect(monk.isFault && !monk.isDeleted)
            #expect(monk.name == "Monk")
        }

        @Test func `a to-many that cannot be read is empty this once, and the error is reported`() throws {
            try makeEmployee()
            let department = try #require(try context.all(Office.Department.self).first)
            store.fail(.read)
            #expect(department.employees.isEmpty)
            #expect(errors.withLock { $0.count } == 1)
            #expect(department.employees.count == 1)
        }

        @Test func `a change of an object whose row could not be read does not get lost without a word`() throws {
            let monk = try failingFault()
            monk.age = 18
            #expect(errors.withLock { $0.count } == 1)
            #expect(monk.hasChanges)
            store.fail(.read)
            #expect(throws: StoreError.self) { try context.save() }
            #expect(monk.hasChanges && monk.age == 18)
            #expect(throws: SaveError.self) { try context.save() }
            context.disregardFailedReads()
            try context.save()
            #expect(monk.name == "Monk" && monk.age == 18)
            let reading = ManagedObjectContext(coordinator: coordinator)
            let read = try #require(try reading.all(Office.Employee.self).first)
            #expect(read.name == "Monk" && read.age == 18 && read.department != nil)
        }

        @Test func `rollback makes an object whose row could not be read a fault again`() throws {
            let monk = try failingFault()
            monk.age = 18
            context.rollback()
            #expect(monk.isFault && monk.name == "Monk" && monk.age == 0)
        }

        @Test func `a save whose answer is lost throws, and contexts find what became of it`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            let reading = ManagedObjectContext(coordinator: coordinator)
            let read = try #require(try reading.all(Office.Employee.self).first)
            #expect(read.age == 0)
            let told = Locked<[Bool]>([])
            let token = coordinator.commitObservers.add { changes in
                told.withLock { $0.append(changes.comesWithForeignChanges) }
            }
            defer { coordinator.commitObservers.remove(token) }
            monk.age = 18
            store.fail(.answer)
            let error = try #require(throws: StoreError.self) { try context.save() }
            #expect(error.code == .outcomeUnknown && error.message.contains("unknown whether the changes were saved"))
            #expect(error.message.contains("This failure was injected by a test."))
            #expect(error.underlyingError is StoreError && monk.hasChanges)
            #expect(told.withLock { $0 } == [true])
            reading.endTurn()
            #expect(try reading.all(Office.Employee.self).first?.age == 18 && read.age == 18)
            try coordinator.checkInvariants()
            // It was written, so the same change is now one of an older version.
            #expect(throws: SaveError.self) { try context.save() }
        }

        @Test func `a failed commit tells nobody`() throws {
            let told = Locked(0)
            let token = coordinator.commitObservers.add { _ in told.withLock { $0 += 1 } }
            defer { coordinator.commitObservers.remove(token) }
            _ = try context.employee("Monk")
            store.fail(.commit)
            #expect(throws: StoreError.self) { try context.save() }
            #expect(told.withLock { $0 } == 0)
            let reading = ManagedObjectContext(coordinator: coordinator)
            #expect(try reading.all(Office.Employee.self).isEmpty)
        }
    }
#endif
