#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Values that could not be read, and read as empty, are never the ground of what is saved.
    @Suite struct `A value that could not be read` {
        private let stage: FailingStage
        private let context: ManagedObjectContext

        init() throws {
            stage = try FailingStage()
            context = stage.newContext()
        }

        private func savedAges() throws -> [Int] {
            try stage.newContext().all(Office.Employee.self).map(\.age)
        }

        @Test func `is not added to, and the save names object and cause`() throws {
            let monk = try stage.failingEmployee(in: context)
            monk.age += 100
            #expect(monk.age == 100)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .unreadValues && error.objectID == monk.anyObjectID)
            #expect(error.failedAccesses.map(\.kind) == [.read])
            #expect(error.failedAccesses[0].objectID == monk.anyObjectID && error.failedAccesses[0].cause is StoreError)
            #expect(error.message.contains("rollback()") && error.message.contains("disregardFailedReads()"))
            #expect(context.hasChanges)
            #expect(try savedAges() == [40])
            context.rollback()
            monk.age += 100
            try context.save()
            #expect(try savedAges() == [140])
        }

        @Test func `still stands in the way after a read that succeeds`() throws {
            let monk = try stage.failingEmployee(in: context)
            let seen = monk.age
            #expect(monk.age == 40)
            monk.note = "\(seen)"
            #expect(throws: SaveError.self) { try context.save() }
            context.reset()
            #expect(context.failedAccesses.isEmpty)
        }

        @Test func `does not stand in the way of a save without changes`() throws {
            let monk = try stage.failingEmployee(in: context)
            #expect(monk.name == "")
            try context.save()
            #expect(context.failedAccesses.count == 1)
        }

        @Test func `can be disregarded`() throws {
            let monk = try stage.failingEmployee(in: context)
            #expect(monk.name == "")
            monk.age = 41
            #expect(throws: SaveError.self) { try context.save() }
            context.disregardFailedReads()
            try context.save()
            #expect(monk.name == "Monk")
            #expect(try savedAges() == [41])
        }

        @Test func `of a to-many leaves the members that are there`() throws {
            try stage.write()
            let kitchen = try #require(try context.all(Office.Department.self).first)
            let newcomer = try context.employee("Newcomer")
            stage.store.fail(.read)
            kitchen.employees = [newcomer]
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.failedAccesses.map(\.propertyName) == ["employees"])
            context.rollback()
            #expect(kitchen.employees.map(\.name) == ["Monk"])
        }

        @Test func `in a hook of the save counts as well`() throws {
            try stage.write()
            let monk = try #require(try context.all(Office.Employee.self).first)
            let diary = try context.insert(Office.Diary.self)
            try context.refresh(monk, mergeChanges: false)
            context.endTurn()
            context.stalenessInterval = .zero
            let store = stage.store
            diary.atWillSave = { diary in
                if diary.text.isEmpty {
                    store.fail(.read)
                    diary.text = "about \(monk.name)"
                }
            }
            #expect(throws: SaveError.self) { try context.save() }
            #expect(try stage.newContext().all(Office.Diary.self).isEmpty)
        }

        @Test func `whose row is gone is none`() throws {
            try stage.write()
            var request = FetchRequest(entityName: "Employee")
            request.includesPropertyValues = false
            let fault = try #require(try context.fetch(request).first as? Office.Employee)
            let other = stage.newContext()
            other.delete(try other.own(fault))
            try other.save()
            _ = try context.count(FetchRequest(entityName: "Department"))
            #expect(fault.name == "" && fault.isDeleted)
            _ = try context.department("new")
            try context.save()
        }

        @Test func `whose row is gone is one where that is an error`() throws {
            try stage.write()
            let context = stage.newContext(followsCommits: false)
            context.shouldDeleteInaccessibleFaults = false
            var request = FetchRequest(entityName: "Employee")
            request.includesPropertyValues = false
            let fault = try #require(try context.fetch(request).first as? Office.Employee)
            let other = stage.newContext()
            other.delete(try other.own(fault))
            try other.save()
            _ = try context.count(FetchRequest(entityName: "Department"))
            _ = try context.department("after \(fault.name)")
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect((error.failedAccesses.first?.cause as? FetchError)?.code == .objectNotFound)
        }

        @Test func `stands in the way of a batch request`() throws {
            let monk = try stage.failingEmployee(in: context)
            let request = BatchUpdateRequest(
                entityName: "Employee", propertiesToUpdate: ["age": .value(.int(Int64(monk.age + 1)))])
            let error = try #require(throws: SaveError.self) { try context.execute(request) }
            #expect(error.code == .unreadValues)
            #expect(try savedAges() == [40])
        }

        @Test func `in a child stands in the way of the child alone, in a parent of the parent`() throws {
            try stage.write()
            let child = ManagedObjectContext(parent: context)
            let monk = try stage.failingEmployee(in: child)
            monk.age += 1
            #expect(throws: SaveError.self) { try child.save() }
            try context.save()
            child.rollback()
            let above = try stage.failingEmployee(in: context)
            above.age += 1
            let skill = try child.insert(Office.Skill.self)
            try child.save()
            #expect(throws: SaveError.self) { try context.save() }
            #expect(!skill.hasChanges && context.hasChanges)
        }

        @Test func `is not what a condition or an order in memory goes by`() throws {
            var monk = try stage.failingEmployee(in: context)
            let condition = try Condition(format: "age > 18")
            #expect(throws: FetchError.self) { try condition.evaluate(with: monk) }
            monk = try stage.failingEmployee(in: context)
            #expect(throws: FetchError.self) { try [monk].filtered(using: condition) }
            monk = try stage.failingEmployee(in: context)
            let others = [monk, try context.employee("New")]
            let error = try #require(throws: FetchError.self) { try others.sorted(using: [SortTerm("name")]) }
            #expect(error.code == .unreadValues && error.underlyingError is StoreError)
            // Nothing was answered with a substitute.
            #expect(context.failedAccesses.isEmpty)
            #expect(try others.sorted(using: [SortTerm("name")]).map(\.name) == ["Monk", "New"])
        }

        @Test func `is not what unsaved changes are sorted in by`() throws {
            try stage.write()
            var request = FetchRequest(entityName: "Employee")
            request.sortTerms = [SortTerm("department.name"), SortTerm("name")]
            var kitchens = FetchRequest(entityName: "Department")
            kitchens.includesPropertyValues = false
            func names(failing number: Int?) throws -> [String] {
                let context = stage.newContext()
                context.stalenessInterval = .zero
                let new = try context.employee("New")
                new.department = try #require(try context.fetch(kitchens).first as? Office.Department)
                context.endTurn()
                stage.store.readCount = 0
                if let number { stage.store.failRead(number, with: StoreError(.readFailed, "The disk is on fire.")) }
                defer { stage.store.heal() }
                let objects = try context.fetch(request)
                #expect(context.failedAccesses.isEmpty)
                return objects.compactMap { ($0 as? Office.Employee)?.name }
            }
            #expect(try names(failing: nil) == ["Monk", "New"])
            let reads = stage.store.readCount
            #expect(reads >= 3)
            for number in 0..<reads { #expect(throws: StoreError.self) { try names(failing: number) } }
        }

        @Test func `leaves a list as it is until it can be followed`() throws {
            try stage.write()
            context.stalenessInterval = .zero
            var request = FetchRequest(entityName: "Employee")
            request.sortTerms = [SortTerm("department.name"), SortTerm("name")]
            let controller = try FetchedResultsController<Office.Employee>(context: context, request: request)
            try controller.performFetch()
            let kitchen = try #require(controller.fetchedObjects?.first?.department)
            context.endTurn()
            stage.store.fail(.read)
            try context.refresh(kitchen, mergeChanges: false)
            #expect(controller.fetchedObjects?.map(\.name) == ["Monk"])
            #expect(stage.errors.withLock { $0.count } == 1)
            _ = try context.employee("New")
            context.processPendingChanges()
            #expect(controller.fetchedObjects?.map(\.name) == ["New", "Monk"])
            try controller.checkInvariants()
        }

        @Test func `of external data is noted with its property`() throws {
            let shop = try PhotoShop()
            let stack = try shop.openStack()
            defer { #expect(throws: Never.self) { try stack.close() } }
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            try shop.insert("large", PhotoShop.bytes(300_000), context)
            try context.save()
            for file in try shop.files() {
                try FileManager.default.removeItem(at: shop.dataFolder.appending(path: file))
            }
            let reading = ManagedObjectContext(coordinator: stack.coordinator)
            let photo = try #require(try reading.fetch(FetchRequest(entityName: "Photo")).first)
            let image: Data = photo.property(at: try #require(photo.entity.propertiesByName["image"]?.slot))
            #expect(image.isEmpty)
            try photo.setValue(.string("bytes: \(image.count)"), forKey: "name")
            let error = try #require(throws: SaveError.self) { try reading.save() }
            #expect(error.failedAccesses.map(\.propertyName) == ["image"])
            #expect(throws: FetchError.self) { try Condition(format: "image == nil").evaluate(with: photo) }
            #expect(throws: StoreError.self) { try photo.primitiveValue(forKey: "image") }
        }

        @Test func `of external data that comes back before the save is not appended to`() throws {
            let shop = try PhotoShop()
            let stack = try shop.openStack()
            defer { #expect(throws: Never.self) { try stack.close() } }
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let original = PhotoShop.bytes(300_000)
            try shop.insert("large", original, context)
            try context.save()
            let file = shop.dataFolder.appending(path: try #require(try shop.files().first))
            let aside = shop.folder.file("aside")
            let reading = ManagedObjectContext(coordinator: stack.coordinator)
            let photo = try #require(try reading.fetch(FetchRequest(entityName: "Photo")).first)
            let slot = try #require(photo.entity.propertiesByName["image"]?.slot)
            try FileManager.default.moveItem(at: file, to: aside)
            let image: Data = photo.property(at: slot)
            photo.setProperty(image + Data([1]), at: slot)
            try FileManager.default.moveItem(at: aside, to: file)
            #expect(throws: SaveError.self) { try reading.save() }
            reading.rollback()
            #expect(try shop.images(stack) == ["large": .data(original)])
        }

        /// The pages of a real file, so that the error is SQLite's.
        @Test func `of a damaged page is not saved over`() throws {
            let folder = try TemporaryFolder()
            let url = folder.file("office.sqlite")
            func open() throws -> Stack {
                let stack = Stack(model: try Office.model.get())
                try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
                return stack
            }
            let first = try open()
            let writing = ManagedObjectContext(coordinator: first.coordinator)
            for index in 0..<20 {
                let badge = try writing.insert(Office.Badge.self)
                badge.code = "\(index)"
                badge.owner = try writing.employee("Monk \(index)")
                badge.owner?.note = "marked " + String(repeating: "x", count: 2_000)
            }
            try writing.save()
            try first.close()
            let whole = try Data(contentsOf: url)
            var damaged = whole
            let size = Int(whole[16]) << 8 | Int(whole[17])
            for start in stride(from: 0, to: whole.count, by: size) {
                let page = start..<min(start + size, whole.count)
                if whole[page].range(of: Data("marked ".utf8)) != nil { damaged.resetBytes(in: page) }
            }
            #expect(damaged != whole)
            try damaged.write(to: url)
            let second = try open()
            let context = ManagedObjectContext(coordinator: second.coordinator)
            for badge in try context.all(Office.Badge.self) { badge.owner?.age += 100 }
            #expect(context.failedAccesses.count == 20)
            #expect(throws: (any Error).self) { try context.save() }
            context.disregardFailedReads()
            #expect(throws: StoreError.self) { try context.save() }
            context.reset()
            try second.close()
            try whole.write(to: url)
            let third = try open()
            let ages = try ManagedObjectContext(coordinator: third.coordinator).all(Office.Employee.self).map(\.age)
            #expect(ages == Array(repeating: 0, count: 20))
            try third.close()
        }

        @Test func `again and again is listed once`() throws {
            for _ in 0..<20 {
                let monk = try stage.failingEmployee(in: context)
                #expect(monk.name == "")
            }
            _ = try context.department("new")
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.failedAccesses.count == 1)
        }
    }
#endif
