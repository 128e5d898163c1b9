#if Macros
    import DataMonk
    import Testing

    /// A context, fetched results over it, and what they have told. The objects are employees: the note is the section, the
    /// name the order in it.
    final class ResultsStage {
        let office: OfficeStack
        let context: ManagedObjectContext
        let controller: FetchedResultsController<Office.Employee>
        /// What was told since the last look.
        private(set) var told: [FetchedResultsChanges] = []
        private var observation: ContextObservation?

        static func request(_ sortTerms: [SortTerm] = [SortTerm("note"), SortTerm("name")]) -> FetchRequest {
            var request = FetchRequest(entityName: "Employee")
            request.sortTerms = sortTerms
            return request
        }

        /// - Parameter people: a name and a note for each employee to begin with; they are saved.
        init(
            _ kind: StoreKind = .memory, people: [(name: String, note: String?)] = [],
            request: FetchRequest = ResultsStage.request(), sections: String? = "note"
        ) throws {
            office = try OfficeStack(kind)
            context = office.newContext(.mergeByPropertyObjectTrump)
            for (name, note) in people { try context.employee(name).note = note }
            try context.save()
            controller = try FetchedResultsController(
                context: context, request: request, sectionNameKeyPath: sections)
            try controller.performFetch()
            observation = controller.observeChanges { [unowned self] in told.append($0) }
        }

        func insert(_ name: String, _ note: String?) throws -> Office.Employee {
            let employee = try context.employee(name)
            employee.note = note
            return employee
        }

        func employee(_ name: String) throws -> Office.Employee {
            try #require(try context.all(Office.Employee.self).first { $0.name == name })
        }

        /// Ends the event, and takes what it told, in words.
        func endEvent() throws -> [String] {
            context.processPendingChanges()
            return try look()
        }

        /// Takes what was told, in words: `+b@1` and `-b@0` for sections, then `+0.1`, `-0.1`, `0.1>1.0` for a move and
        /// `*0.1` for an update. A change between two events is `|`.
        func look() throws -> [String] {
            try controller.checkInvariants()
            defer { told = [] }
            return told.map(Self.words).joined(separator: ["|"]).map(\.self)
        }

        /// The results: each section's name and its objects'.
        var shown: [String] {
            controller.sections.map { "\($0.name): \($0.map(\.name).joined(separator: " "))" }
        }

        private static func words(_ changes: FetchedResultsChanges) -> [String] {
            if changes.requiresFetch { return ["fetch"] }
            return changes.sections.map { "\($0.kind == .insert ? "+" : "-")\($0.name)@\($0.index)" }
                + changes.objects.map { change in
                    let old = change.indexPath.map { "\($0.section).\($0.item)" } ?? ""
                    let new = change.newIndexPath.map { "\($0.section).\($0.item)" } ?? ""
                    return switch change.kind {
                    case .insert: "+\(new)"
                    case .delete: "-\(old)"
                    case .move: "\(old)>\(new)"
                    case .update: "*\(new)"
                    }
                }
        }
    }
#endif
