#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Lists whose condition, order or sections look at objects that others change without naming those that refer to them.
    @Suite struct `Lists after batch requests` {
        /// A list over a context that knows no object but those of the list.
        private struct Stage<Object: ManagedObject> {
            let context: ManagedObjectContext
            let list: FetchedResultsController<Object>
            /// The objects that keep the store open.
            private let owners: [AnyObject]

            init(
                _ context: ManagedObjectContext, keeping owners: AnyObject..., where format: String,
                orderBy keyPaths: [String] = ["name"], sections: String? = nil, limit: Int = 0
            ) throws {
                self.context = context
                self.owners = owners
                var request = FetchRequest(entityName: "\(Object.self)", condition: try Condition(format: format))
                request.sortTerms = keyPaths.map { SortTerm($0) }
                request.fetchLimit = limit
                list = try FetchedResultsController(
                    context: context, request: request, sectionNameKeyPath: sections)
                try list.performFetch()
            }

            /// Merges the commits of others, after which the list is what a fetch finds.
            func expect(
                _ names: [ManagedValue], after event: String, sourceLocation: SourceLocation = #_sourceLocation
            ) throws {
                context.mergeCommits()
                let shown = try (list.fetchedObjects ?? []).map { try $0.value(forKey: "name") }
                #expect(shown == names, "after \(event)", sourceLocation: sourceLocation)
                let fetched = try context.fetch(list.request).map(\.anyObjectID)
                #expect(list.fetchedObjects?.map(\.anyObjectID) == fetched, sourceLocation: sourceLocation)
                try list.checkInvariants()
            }
        }

        private static let employees = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Employee"))
        private static let skills = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Skill"))

        /// Ann of department d, who is 50 and has a skill. Nobody is in department e.
        private func filledOffice(_ kind: StoreKind) throws -> (office: OfficeStack, writer: ManagedObjectContext) {
            let office = try OfficeStack(kind)
            let writer = office.newContext()
            let (ann, skill) = (try writer.employee("Ann"), try writer.insert(Office.Skill.self))
            (ann.age, ann.department, skill.name) = (50, try writer.department("d"), "s")
            ann.skills = [skill]
            _ = try writer.department("e")
            try writer.save()
            return (office, writer)
        }

        private func department(_ name: String, in context: ManagedObjectContext) throws -> AnyObjectID {
            try #require(try context.all(Office.Department.self).first { $0.name == name }).anyObjectID
        }

        /// Moves all employees to a department.
        private func move(to department: AnyObjectID) -> BatchUpdateRequest {
            BatchUpdateRequest(
                entityName: "Employee", propertiesToUpdate: ["department": .value(.object(department))])
        }

        // MARK: One-to-many

        @Test(
            arguments: StoreKind.allCases,
            [
                "employees.@count > 0", "ANY employees.age > 40", "employees.@sum.age > 40",
                "SUBQUERY(employees, $e, $e.age > 40).@count > 0",
            ])
        func `an owner leaves with the members that a batch deletes`(kind: StoreKind, condition: String) throws {
            let (office, writer) = try filledOffice(kind)
            let stage = try Stage<Office.Department>(office.newContext(), keeping: office, where: condition)
            try stage.expect(["d"], after: "the fetch")
            try writer.execute(Self.employees)
            try stage.expect([], after: "the deletion")
        }

        @Test(arguments: StoreKind.allCases, ["employees.@count > 0", "ANY employees.age > 40"])
        func `the former and the new owner of what a batch moves change places`(
            kind: StoreKind, condition: String
        ) throws {
            let (office, writer) = try filledOffice(kind)
            let stage = try Stage<Office.Department>(office.newContext(), keeping: office, where: condition)
            try stage.expect(["d"], after: "the fetch")
            try writer.execute(move(to: try department("e", in: writer)))
            try stage.expect(["e"], after: "the move")
        }

        @Test(arguments: StoreKind.allCases)
        func `an owner comes with the members that a batch inserts`(kind: StoreKind) throws {
            let (office, writer) = try filledOffice(kind)
            let stage = try Stage<Office.Department>(
                office.newContext(), keeping: office, where: "employees.@count > 0")
            try stage.expect(["d"], after: "the fetch")
            let there = try department("e", in: writer)
            try writer.execute(
                BatchInsertRequest(entityName: "Employee", objects: [["name": "Bob", "department": .object(there)]]))
            try stage.expect(["d", "e"], after: "the insertion")
        }

        @Test(arguments: StoreKind.allCases)
        func `a batch that moves an object with unsaved changes here is followed`(kind: StoreKind) throws {
            let (office, writer) = try filledOffice(kind)
            let stage = try Stage<Office.Department>(
                office.newContext(), keeping: office, where: "employees.@count > 0")
            for employee in try stage.context.all(Office.Employee.self) { employee.note = "mine" }
            stage.context.processPendingChanges()
            try writer.execute(move(to: try department("e", in: writer)))
            try stage.expect(["e"], after: "the move")
        }

        @Test(arguments: StoreKind.allCases)
        func `a limited list follows a batch`(kind: StoreKind) throws {
            let (office, writer) = try filledOffice(kind)
            let stage = try Stage<Office.Department>(
                office.newContext(), keeping: office, where: "employees.@count > 0", limit: 1)
            try writer.execute(move(to: try department("e", in: writer)))
            try stage.expect(["e"], after: "the move")
        }

        @Test(arguments: StoreKind.allCases)
        func `a child's list follows a batch that its parent merges`(kind: StoreKind) throws {
            let (office, writer) = try filledOffice(kind)
            let child = ManagedObjectContext(
                parent: office.newContext(), automaticallyMergesChangesFromParent: true)
            let stage = try Stage<Office.Department>(child, keeping: office, where: "employees.@count > 0")
            try writer.execute(Self.employees)
            try stage.expect([], after: "the deletion")
        }

        // MARK: Many-to-many

        @Test(arguments: StoreKind.allCases, ["skills.@count > 0", "ANY skills.name == 's'"])
        func `an object leaves with what a batch deletes at the other end of a many-to-many`(
            kind: StoreKind, condition: String
        ) throws {
            let (office, writer) = try filledOffice(kind)
            let stage = try Stage<Office.Employee>(office.newContext(), keeping: office, where: condition)
            try stage.expect(["Ann"], after: "the fetch")
            try writer.execute(Self.skills)
            try stage.expect([], after: "the deletion")
        }

        // MARK: Order and sections

        @Test(arguments: StoreKind.allCases)
        func `an order by the number of members follows a batch`(kind: StoreKind) throws {
            let (office, writer) = try filledOffice(kind)
            let stage = try Stage<Office.Department>(
                office.newContext(), keeping: office, where: "TRUEPREDICATE", orderBy: ["employees.@count", "name"])
            try stage.expect(["e", "d"], after: "the fetch")
            try writer.execute(move(to: try department("e", in: writer)))
            try stage.expect(["d", "e"], after: "the move")
        }

        @Test(arguments: StoreKind.allCases)
        func `sections by a relationship without an inverse follow a batch`(kind: StoreKind) throws {
            let (office, writer) = try filledOffice(kind)
            for name in ["Bob", "Cid"] {
                let mentor = try writer.employee("mentor of \(name)")
                try writer.employee(name).mentor = mentor
            }
            try writer.save()
            let stage = try Stage<Office.Employee>(
                office.newContext(), keeping: office, where: "mentor != nil", orderBy: ["mentor.name", "name"],
                sections: "mentor.name")
            try stage.expect(["Bob", "Cid"], after: "the fetch")
            try writer.execute(
                BatchUpdateRequest(
                    entityName: "Employee", condition: .compare("name", .equal, "mentor of Bob"),
                    propertiesToUpdate: ["name": "nobody"]))
            try stage.expect(["Cid", "Bob"], after: "the renaming")
            #expect(stage.list.sections.map(\.name) == ["mentor of Cid", "nobody"])
        }

        // MARK: References that no delete rule clears

        @Test(arguments: StoreKind.allCases, [false, true])
        func `a list follows the deletion of an unknown object under the rule noAction`(
            kind: StoreKind, isNamed: Bool
        ) throws {
            let warehouse = try WarehouseStack(kind)
            let writer = warehouse.newContext()
            let box = try writer.make(Warehouse.Box.self, "x")
            try writer.make(Warehouse.Note.self, "note").box = box
            try writer.save()
            let stage = try Stage<Warehouse.Note>(
                warehouse.newContext(), keeping: warehouse, where: isNamed ? "box.name == 'x'" : "box.name == nil")
            try stage.expect(isNamed ? ["note"] : [], after: "the fetch")
            writer.delete(box)
            try writer.save()
            try stage.expect(isNamed ? [] : ["note"], after: "the deletion")
        }

        // MARK: Cost

        @Test func `only a batch on its paths makes a list fetch again, and each only once`() throws {
            let recorder = StatementRecorder()
            let folder = try TemporaryFolder()
            let stack = Stack(model: try Office.model.get(), trace: recorder.trace)
            try stack.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
            let writer = ManagedObjectContext(coordinator: stack.coordinator)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            func insert(_ entity: String) throws {
                try writer.execute(BatchInsertRequest(entityName: entity, objects: [["name": "x"]]))
            }
            func saveEmployee() throws {
                _ = try writer.employee("y")
                try writer.save()
            }
            func hasFetched(after change: () throws -> Void) throws -> Bool {
                try change()
                return recorder.recording { context.mergeCommits() }
                    .contains { $0.kind == .select && $0.sql.contains("ZDEPARTMENT") }
            }
            try insert("Employee")
            let stage = try Stage<Office.Department>(context, keeping: stack, folder, where: "employees.@count > 0")
            // The fetch has found what the batch before it did.
            let fetches = [
                try hasFetched(after: saveEmployee), try hasFetched { try insert("Skill") },
                try hasFetched { try insert("Employee") }, try hasFetched(after: saveEmployee),
            ]
            #expect(fetches == [false, false, true, false])
            try stage.expect([], after: "the batches")
        }

        // MARK: The main context

        @Test @MainActor func `a list of a main context follows a batch`() async throws {
            let stack = Stack(model: try Office.model.get())
            try stack.addInMemoryStore()
            let World = try MainContext(stack: stack)
            try await World.update { update in
                let department = try update.create(Office.Department.self)
                department.name = "d"
                try update.create(Office.Employee.self).department = department
                try update.commit()
            }
            let list = try World.fetchedResults(
                Office.Department.self, .Where("employees.@count > 0"), orderBy: .Ascending("name"))
            #expect(list.objects.map(\.name) == ["d"])
            try await World.update { update in _ = try update.batchDelete(Office.Employee.self) }
            try await World.waitUntilListsAreCurrent()
            #expect(list.objects.isEmpty)
        }
    }
#endif
