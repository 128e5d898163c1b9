#if Macros
    import DataMonk
    import Testing

    /// Lists whose objects refer to one that is deleted here, unsaved.
    @Suite struct `Lists behind deleted objects` {
        private enum Desk {
            static let model = Result { try ManagedObjectModel(classes: [Drawer.self, Paper.self]) }

            @Entity final class Drawer: ManagedObject {
                var label: String = ""
                @Relationship(inverse: \Paper.drawer) var papers: Set<Paper>
            }

            @Entity final class Paper: ManagedObject {
                /// Runs once, when a paper has been read in a context.
                static let atFirstReading = Locked<[ObjectIdentifier: @Sendable () -> Void]>([:])

                var text: String = ""
                var drawer: Drawer?

                override func awakeFromFetch() {
                    guard let context = managedObjectContext else { return }
                    let action = Self.atFirstReading.withLock { $0.removeValue(forKey: ObjectIdentifier(context)) }
                    action?()
                }
            }
        }

        /// A list of projects by a name that becomes "hidden", over a context that does not know the only project. The rule of
        /// its department is deny, which does not look for projects before the save.
        private struct Stage {
            let office: OfficeStack
            let writer: ManagedObjectContext
            let department: Office.Department
            let context: ManagedObjectContext
            let list: FetchedResultsController<Office.Project>
            private let request: FetchRequest

            init(_ kind: StoreKind, shows path: String) throws {
                office = try OfficeStack(kind)
                writer = office.newContext()
                department = try writer.department("d")
                let company = try writer.insert(Office.Company.self)
                (company.name, department.company) = ("c", company)
                let project = try writer.insert(Office.Project.self)
                (project.name, project.department) = ("p", department)
                try writer.save()
                context = office.newContext()
                var request = FetchRequest(entityName: "Project", condition: .compare(path, .equal, "hidden"))
                request.sortTerms = [SortTerm("name")]
                self.request = request
                list = try FetchedResultsController(context: context, request: request)
                try list.performFetch()
            }

            /// Ends the event, after which the list shows the project, as a fresh one does.
            func expectProject() throws {
                #expect(list.fetchedObjects?.isEmpty == true)
                context.processPendingChanges()
                #expect(list.fetchedObjects?.map(\.name) == ["p"])
                let fresh = try FetchedResultsController<Office.Project>(context: context, request: request)
                try fresh.performFetch()
                #expect(fresh.fetchedObjects?.map(\.name) == ["p"])
            }
        }

        private static func request(_ condition: Condition? = nil) -> FetchRequest {
            var request = FetchRequest(entityName: "Paper", condition: condition)
            request.sortTerms = [SortTerm("drawer.label"), SortTerm("text")]
            return request
        }

        private let stack: Stack
        private let context: ManagedObjectContext

        init() throws {
            stack = Stack(model: try Desk.model.get())
            try stack.addInMemoryStore()
            context = ManagedObjectContext(coordinator: stack.coordinator)
        }

        private func paper(_ text: String, in drawer: Desk.Drawer?, of context: ManagedObjectContext) throws {
            let paper = try context.insert(Desk.Paper.self)
            (paper.text, paper.drawer) = (text, drawer)
        }

        @Test func `a commit during the fetch is not seen by half of it`() throws {
            let writer = ManagedObjectContext(coordinator: stack.coordinator)
            let drawer = try writer.insert(Desk.Drawer.self)
            _ = try writer.insert(Desk.Drawer.self)
            try paper("a", in: drawer, of: writer)
            try writer.save()
            let ids = try context.fetch(FetchRequest(entityName: "Drawer")).map(\.anyObjectID)
            // Nobody refers to this one.
            let other = try #require(ids.first { $0 != drawer.anyObjectID })
            context.delete(try context.existingObject(with: other))
            context.processPendingChanges()
            let list = try FetchedResultsController<Desk.Paper>(
                context: context, request: Self.request(.compare("text", .notEqual, "b")))
            nonisolated(unsafe) let elsewhere = writer
            let hook = ObjectIdentifier(context)
            Desk.Paper.atFirstReading.withLock { hooks in
                hooks[hook] = {
                    do {
                        for paper in try elsewhere.fetch(FetchRequest(entityName: "Paper")) {
                            try paper.setValue(.string("b"), forKey: "text")
                        }
                        try elsewhere.save()
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            try list.performFetch()
            let wasRead = Desk.Paper.atFirstReading.withLock { $0[hook] == nil }
            #expect(wasRead && list.fetchedObjects?.map(\.text) == ["a"])
            context.mergeCommits()
            #expect(list.fetchedObjects?.map(\.text) == [])
        }

        @Test(arguments: StoreKind.allCases)
        func `what is changed and deleted in one event counts as if it were in two`(kind: StoreKind) throws {
            let stage = try Stage(kind, shows: "department.name")
            let gone = try stage.context.own(stage.department)
            gone.name = "hidden"
            stage.context.delete(gone)
            try stage.expectProject()
        }

        @Test(arguments: StoreKind.allCases, [true, false])
        func `a change behind a deleted object counts in the same event and in a later one`(
            kind: StoreKind, inOneEvent: Bool
        ) throws {
            let stage = try Stage(kind, shows: "department.company.name")
            let company = try stage.context.own(try #require(stage.department.company))
            stage.context.delete(try stage.context.own(stage.department))
            if !inOneEvent { stage.context.processPendingChanges() }
            company.name = "hidden"
            try stage.expectProject()
        }

        @Test(arguments: StoreKind.allCases)
        func `what others have changed counts if it is deleted in the event that brings it`(kind: StoreKind) throws {
            let stage = try Stage(kind, shows: "department.name")
            stage.department.name = "hidden"
            try stage.writer.save()
            for found in try stage.context.all(Office.Department.self) { stage.context.delete(found) }
            try stage.expectProject()
        }

        @Test func `sections by a transient relationship can be fetched while one of its objects is deleted`() throws {
            let person = EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription("mood", .string, isTransient: true)
                RelationshipDescription("mentor", to: "Person", isTransient: true)
            }
            let stack = Stack(model: try ManagedObjectModel(entities: [person]))
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            for name in ["Ann", "Bob"] {
                try context.insert(context.entity(named: "Person")).setValue(.string(name), forKey: "name")
            }
            try context.save()
            var request = FetchRequest(entityName: "Person")
            request.sortTerms = [SortTerm("name")]
            let list = try FetchedResultsController<ManagedObject>(
                context: context, request: request, sectionNameKeyPath: "mentor.mood")
            try list.performFetch()
            let bob = try #require(list.fetchedObjects?.last)
            context.delete(bob)
            try list.refetch()
            #expect(list.fetchedObjects?.count == 1)
        }
    }
#endif
