#if Macros
    import DataMonk
    import Foundation

    /// What a random run found wrong.
    struct ResultDifference: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Fetched results, and a snapshot that knows of them only what their changes say.
    final class WatchedResults {
        typealias Controller = FetchedResultsController<Office.Employee>

        let controller: Controller
        private let filter: ((Office.Employee) -> Bool)?
        private var snapshot: FetchedResultsSnapshot
        private var observation: ContextObservation?
        /// What was wrong with a change.
        private var wrong: ResultDifference?

        init(
            _ context: ManagedObjectContext, sortedBy sortTerms: [SortTerm], where format: String? = nil,
            sections: String? = nil, filter: ((Office.Employee) -> Bool)? = nil
        ) throws {
            var request = FetchRequest(entityName: "Employee")
            request.sortTerms = sortTerms
            request.condition = try format.map { try Condition(format: $0) }
            controller = try Controller(context: context, request: request, sectionNameKeyPath: sections)
            self.filter = filter
            controller.setFilter(filter)
            snapshot = controller.snapshot
            try fetch()
            observation = controller.observeChanges { [unowned self] changes in follow(changes) }
        }

        func fetch() throws {
            try controller.performFetch()
            snapshot = controller.snapshot
        }

        private func follow(_ changes: FetchedResultsChanges) {
            if changes.requiresFetch {
                snapshot = controller.snapshot
                return
            }
            if changes.objects.isEmpty { wrong = wrong ?? ResultDifference("a change of nothing") }
            let before = snapshot
            if !snapshot.apply(changes) {
                wrong = wrong ?? ResultDifference("does not follow: \(changes) after \(before)")
            } else if snapshot != controller.snapshot {
                wrong = wrong ?? ResultDifference("\(changes) after \(before) is not \(controller.snapshot)")
            }
        }

        /// Throws what the changes until now did wrong.
        func check() throws {
            if let wrong { throw wrong }
            try controller.checkInvariants()
            if snapshot != controller.snapshot { throw ResultDifference("something changed that was not told") }
        }

        /// Compares with a new fetch. Equals may stand in another order there.
        func compare() throws {
            let fetched = try controller.context.fetch(controller.request).compactMap { $0 as? Office.Employee }
            let expected = fetched.filter { filter?($0) ?? true }
            guard let shown = controller.fetchedObjects else { throw ResultDifference("there are no results") }
            if controller.request.sortTerms.last?.keyPath == "name" {
                if shown != expected { throw difference(shown, expected) }
            } else {
                let keys = { (employees: [Office.Employee]) in employees.map(\.age) }
                if Set(shown) != Set(expected) || keys(shown) != keys(expected) { throw difference(shown, expected) }
            }
            var sections: [String] = []
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
            case "department.name": employee.department?.name ?? ""
            default: ""
            }
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
