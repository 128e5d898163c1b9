#if Macros
    import DataMonk
    import Foundation

    /// What a random run found wrong.
    struct ResultDifference: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Fetched results, and a snapshot and a view's rows that know of them only what their changes say.
    final class WatchedResults {
        typealias Controller = FetchedResultsController<Office.Employee>

        let controller: Controller
        private let filter: ((Office.Employee) -> Bool)?
        private let readsOthers: Bool
        private var snapshot: FetchedResultsSnapshot
        private var rows = StrictRows(counts: []) { _ in "" }
        /// The numbers of changes that were announced, and of those that were told.
        private var announced = 0
        private var told = 0
        private var announcements: ContextObservation?
        private var observation: ContextObservation?
        /// What was wrong with a change.
        private var wrong: ResultDifference?

        init(
            _ context: ManagedObjectContext, sortedBy sortTerms: [SortTerm], where format: String? = nil,
            sections: String? = nil, limit: Int = 0, filter: ((Office.Employee) -> Bool)? = nil
        ) throws {
            var request = FetchRequest(entityName: "Employee")
            request.fetchLimit = limit
            request.sortTerms = sortTerms
            request.condition = try format.map { try Condition(format: $0) }
            controller = try Controller(context: context, request: request, sectionNameKeyPath: sections)
            self.filter = filter
            readsOthers = format?.contains("reports") == true || sortTerms.contains { $0.keyPath.contains(".") }
            controller.setFilter(filter)
            snapshot = controller.snapshot
            try fetch()
            announcements = controller.observeUpcomingChanges { [unowned self] in
                announced += 1
                if snapshot != controller.snapshot { wrong = wrong ?? ResultDifference("announced after the change") }
            }
            observation = controller.observeChanges { [unowned self] changes in follow(changes) }
        }

        func fetch() throws {
            try controller.performFetch()
            start()
        }

        private func start() {
            snapshot = controller.snapshot
            rows = StrictRows(counts: controller.sections.map(\.count), cell: cell)
            told = announced
        }

        private func cell(_ path: IndexPath) -> String {
            controller.objectIfPresent(at: path).map { "\($0.name)/\($0.age)/\($0.note ?? "-")" } ?? "nothing"
        }

        private func follow(_ changes: FetchedResultsChanges) {
            if changes.requiresFetch { return start() }
            told += 1
            if told != announced { wrong = wrong ?? ResultDifference("\(announced) announced, \(told) told") }
            followRows(changes)
            if changes.objects.isEmpty { wrong = wrong ?? ResultDifference("a change of nothing") }
            let before = snapshot
            if !snapshot.apply(changes) {
                wrong = wrong ?? ResultDifference("does not follow: \(changes) after \(before)")
            } else if snapshot != controller.snapshot {
                wrong = wrong ?? ResultDifference("\(changes) after \(before) is not \(controller.snapshot)")
            }
        }

        private func followRows(_ changes: FetchedResultsChanges) {
            let update = ListUpdate(changes)
            do {
                try rows.apply(.init(update), counts: controller.sections.map(\.count), cell: cell)
                try rows.reload(update.reloadedRows, cell: cell)
            } catch {
                wrong = wrong ?? ResultDifference("a view refuses \(changes): \(error)")
            }
        }

        /// Throws what the changes until now did wrong.
        func check() throws {
            if let wrong { throw wrong }
            try controller.checkInvariants()
            if snapshot != controller.snapshot { throw ResultDifference("something changed that was not told") }
        }

        /// Throws if a row of the view was not drawn again after its object had changed.
        private func compareRows() throws {
            let drawn = controller.sections.enumerated().map { section, objects in
                objects.indices.map { cell([section, $0]) }
            }
            if rows.cells != drawn { throw ResultDifference("the view has \(rows.cells), not \(drawn)") }
        }

        /// What a new fetch finds. It reads related objects as they are in the store, so where they decide and have
        /// unsaved changes, a new controller tells.
        private func expected() throws -> [Office.Employee] {
            let (context, request) = (controller.context, controller.request)
            if context.hasChanges, readsOthers {
                let fresh = try Controller(
                    context: context, request: request, sectionNameKeyPath: controller.sectionNameKeyPath)
                fresh.setFilter(filter)
                try fresh.performFetch()
                return fresh.fetchedObjects ?? []
            }
            let fetched = try context.fetch(request).compactMap { $0 as? Office.Employee }
            return fetched.filter { filter?($0) ?? true }
        }

        /// Compares with a new fetch. Equals may stand in another order there.
        ///
        /// While an object has changes that started from what others have changed, the two sides of its relationships
        /// need not agree: its next save decides. What crosses them is compared after that.
        func compare() throws {
            let context = controller.context
            try compareRows()
            if readsOthers, (context.updatedObjects + context.deletedObjects).contains(where: \.hasConflict) { return }
            let expected = try expected()
            guard let shown = controller.fetchedObjects else { throw ResultDifference("there are no results") }
            if controller.request.sortTerms.last?.keyPath == "name" {
                if shown != expected { throw difference(shown, expected) }
            } else {
                let keys = { (employees: [Office.Employee]) in employees.map(\.age) }
                if Set(shown) != Set(expected) || keys(shown) != keys(expected) { throw difference(shown, expected) }
            }
            // One section is there without a key for them, be it empty.
            var sections = controller.sectionNameKeyPath == nil ? [""] : []
            for name in shown.map(sectionName) where sections.last != name { sections.append(name) }
            if controller.sections.map(\.name) != sections {
                throw ResultDifference("sections \(controller.sections.map(\.name)), not \(sections)")
            }
            for section in controller.sections where !section.allSatisfy({ sectionName($0) == section.name }) {
                throw ResultDifference("section \(section.name) of \(section.map(sectionName))")
            }
            for (section, objects) in controller.sections.enumerated() {
                for (item, object) in objects.enumerated() where controller.indexPath(for: object) != [section, item] {
                    throw ResultDifference("\(object.name) is not found at \(section).\(item)")
                }
            }
        }

        private func sectionName(_ employee: Office.Employee) -> String {
            switch controller.sectionNameKeyPath {
            case "note": employee.note ?? ""
            case "age": "\(employee.age)"
            case "department.name":
                // One that others have deleted has no name; one that is deleted here has it until that is saved.
                employee.department.flatMap { $0.isDeleted && !isDeletedHere($0) ? nil : $0.name } ?? ""
            default: ""
            }
        }

        private func isDeletedHere(_ department: Office.Department) -> Bool {
            controller.context.deletedObjects.contains(department)
        }

        private func difference(_ shown: [Office.Employee], _ expected: [Office.Employee]) -> ResultDifference {
            func words(_ employees: [Office.Employee]) -> String {
                employees.map { "\($0.name)/\($0.age)/\($0.note ?? "-")/\($0.department?.name ?? "-")" }
                    .joined(separator: " ")
            }
            let order = controller.request.sortTerms.map(\.keyPath).joined(separator: ", ")
            return ResultDifference("by \(order): shown are \(words(shown)), a fetch finds \(words(expected))")
        }
    }
#endif
