#if Macros
    import DataMonk
    import DataMonkTesting

    /// Lists of every kind over one context, while that one and another one change what they show.
    struct ResultSimulation: Simulation {
        typealias Step = ResultStep

        private let office: OfficeStack
        private let own: ManagedObjectContext
        private let other: ManagedObjectContext
        private let lists: [WatchedResults]
        /// The objects of each number, as each context knows them.
        private var employees: [[ResultStep.Actor: Office.Employee]] = []
        private var departments: [[ResultStep.Actor: Office.Department]] = []
        private static let letters = ["a", "b", "c", "d", "e"]

        init(_ kind: StoreKind) throws {
            office = try OfficeStack(kind)
            own = office.newContext(.mergeByPropertyObjectTrump)
            other = office.newContext(.mergeByPropertyObjectTrump)
            for letter in Self.letters.prefix(4) { departments.append([.own: try own.department(letter)]) }
            for number in 0..<8 {
                let employee = try own.employee("a\(number)")
                (employee.age, employee.note) = (number % 5, number.isMultiple(of: 3) ? nil : "b")
                employee.department = departments[number % 4][.own]
                employees.append([.own: employee])
            }
            try own.save()
            own.undoManager = ContextUndoManager()
            let name = SortTerm("name")
            lists = try [
                WatchedResults(own, sortedBy: [SortTerm("note"), name], where: "age > 1", sections: "note"),
                WatchedResults(own, sortedBy: [SortTerm("age", ascending: false), name]),
                WatchedResults(
                    own, sortedBy: [SortTerm("department.name"), name], where: "department.name != 'b'",
                    sections: "department.name"),
                WatchedResults(own, sortedBy: [name], where: "ANY reports.age > 3"),
                WatchedResults(own, sortedBy: [SortTerm("note"), name], where: "age > 0", sections: "note", limit: 4),
                WatchedResults(own, sortedBy: [name], limit: 5, filter: { $0.age != 2 }),
                WatchedResults(own, sortedBy: [SortTerm("age")], sections: "age", filter: { $0.age != 3 }),
                WatchedResults(
                    own, sortedBy: [SortTerm("manager.age"), name],
                    where: "SUBQUERY(reports, $r, $r.department.name == 'a').@count < 2"),
            ]
        }

        func randomStep(using random: inout SeededGenerator) -> ResultStep? {
            ResultStep.random(objects: employees.count, lists: lists.count, using: &random)
        }

        func isEnabled(_ step: ResultStep) -> Bool { true }

        func check() throws { for list in lists { try list.check() } }

        mutating func settle() throws {
            try compare()
            try save(.own)
            try compare()
        }

        private func compare() throws {
            own.processPendingChanges()
            own.mergeCommits()
            try check()
            for list in lists { try list.compare() }
            // A fetch is none of their business.
            own.mergeCommits()
            try check()
            // A store has a bounded number of readers.
            own.endTurn()
            other.endTurn()
        }

        // MARK: Steps

        mutating func perform(_ step: ResultStep) throws {
            switch step {
            case .save(let actor): try save(actor)
            case .rollback(let actor): context(actor).rollback()
            case .endEvent: own.processPendingChanges()
            case .merge: own.mergeCommits()
            case .refresh(let number):
                guard let employee = try employee(number, .own) else { return }
                do {
                    try own.refresh(employee, mergeChanges: number.isMultiple(of: 2))
                } catch let error as FetchError where error.code == .objectNotFound {
                    // Others have deleted it: there is nothing to put the changes on.
                    return
                }
            case .refreshAll: try own.refreshAllObjects()
            case .undo: own.undo()
            case .redo: own.redo()
            case .reset:
                own.reset()
                for list in lists { try list.fetch() }
            case .fetch(let index): try lists[index].fetch()
            case .refetch(let index): try lists[index].controller.refetch()
            case .compare: try compare()
            default: try change(step)
            }
        }

        private mutating func change(_ step: ResultStep) throws {
            switch step {
            case .insert(let actor, let age, let note):
                let employee = try context(actor).employee("a\(employees.count)")
                (employee.age, employee.note) = (age, self.note(note))
                employees.append([actor: employee])
            case .delete(let actor, let number):
                if let employee = try employee(number, actor) { context(actor).delete(employee) }
            case .age(let actor, let number, let age): try employee(number, actor)?.age = age
            case .note(let actor, let number, let note): try employee(number, actor)?.note = self.note(note)
            case .name(let actor, let number, let letter):
                try employee(number, actor)?.name = "\(Self.letters[letter])\(number)"
            case .department(let actor, let number, let department):
                let department = try department.flatMap { try self.department($0, actor) }
                try employee(number, actor)?.department = department
            case .manager(let actor, let number, let manager):
                let manager = try manager.flatMap { try employee($0, actor) }
                try employee(number, actor)?.manager = manager
            case .departmentName(let actor, let number, let letter):
                try department(number, actor)?.name = Self.letters[letter]
            case .deleteDepartment(let actor, let number):
                if let department = try department(number, actor) { context(actor).delete(department) }
            default: return
            }
        }

        private func save(_ actor: ResultStep.Actor) throws {
            do {
                try context(actor).save()
            } catch is SaveError {
                // What cannot be saved is not what this is about.
                context(actor).rollback()
            }
        }

        private func context(_ actor: ResultStep.Actor) -> ManagedObjectContext { actor == .own ? own : other }

        private func note(_ number: Int) -> String? { number == 0 ? nil : Self.letters[number] }

        // MARK: Finding

        private mutating func employee(_ number: Int, _ actor: ResultStep.Actor) throws -> Office.Employee? {
            guard employees.indices.contains(number) else { return nil }
            let found = try find(employees[number], actor)
            employees[number][actor] = found
            return found
        }

        private mutating func department(_ number: Int, _ actor: ResultStep.Actor) throws -> Office.Department? {
            guard departments.indices.contains(number) else { return nil }
            let found = try find(departments[number], actor)
            departments[number][actor] = found
            return found
        }

        /// A context's object: the one known, or that for an object which the other context has saved; nil if it is gone.
        private func find<Object: ManagedObject>(
            _ known: [ResultStep.Actor: Object], _ actor: ResultStep.Actor
        ) throws -> Object? {
            let context = context(actor)
            if let object = known[actor], context.registeredObject(for: object.anyObjectID) === object {
                return object.isDeleted ? nil : object
            }
            guard let id = known.values.first?.anyObjectID, !id.isTemporaryID else { return nil }
            do {
                return try context.existingObject(with: id) as? Object
            } catch let error as FetchError where error.code == .objectNotFound {
                return nil
            }
        }
    }
#endif
