#if Macros
    import DataMonk
    import DataMonkTesting

    /// One random schedule: two contexts, and a child of each, change the warehouse in turn, and commit alone or together.
    struct IntegrityRun {
        /// How the two contexts come to the store.
        enum Setting: CaseIterable {
            case memory, file
            /// Two stacks over one file, as two processes have.
            case twoStacks
        }

        /// What a schedule got wrong.
        struct Violation: Error, CustomStringConvertible {
            let description: String
        }

        private let warehouses: [WarehouseStack]
        private let folder: TemporaryFolder?
        /// Two that commit, and behind them the child of each.
        private(set) var contexts: [ManagedObjectContext] = []
        /// What each context works with; some of it may be gone.
        var objects: [[ManagedObject]] = [[], [], [], []]
        var random: SeededGenerator
        var steps: [String] = []
        private(set) var refusals = 0
        private(set) var commits = 0
        /// How often each kind of step was taken and each kind of conflict met.
        private(set) var tally: [String: Int] = [:]
        private let conflicts = Locked<[String]>([])

        init(_ setting: Setting, seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            switch setting {
            case .memory:
                folder = nil
                warehouses = [try WarehouseStack(.memory)]
            case .file, .twoStacks:
                let folder = try TemporaryFolder()
                self.folder = folder
                let file = folder.file("warehouse.sqlite")
                warehouses = try (0..<(setting == .file ? 1 : 2)).map { _ in try WarehouseStack(over: file) }
            }
            try setUp()
            for index in 0..<2 { try open(index) }
            for index in 0..<2 {
                let policy = Self.policies.randomElement(using: &random) ?? .error
                let follows = Bool.random(using: &random)
                contexts.append(
                    ManagedObjectContext(
                        parent: contexts[index], mergePolicy: noting(policy),
                        automaticallyMergesChangesFromParent: follows))
                note("\(index + 2) is a child of \(index): \(policy), follows: \(follows)")
                try fetchAll(index + 2)
            }
        }

        private static let policies: [MergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]

        private mutating func open(_ index: Int) throws {
            let policy = Self.policies.randomElement(using: &random) ?? .error
            let follows = Int.random(in: 0..<6, using: &random) > 0
            contexts.append(warehouse(of: index).newContext(noting(policy), followsCommits: follows))
            let canUndo = Bool.random(using: &random)
            if canUndo { contexts[index].undoManager = ContextUndoManager() }
            note("context \(index): \(policy), follows: \(follows), undoes: \(canUndo)")
            try fetchAll(index)
        }

        /// The same policy, which says what it is asked.
        private func noting(_ policy: MergePolicy) -> MergePolicy {
            if policy == .error { return policy }
            return .custom { [conflicts] conflict in
                let kind = conflict.isDeletion ? "deletion" : "change"
                let name = "\(conflict.objectID.entityName).\(conflict.relationship ?? "")"
                conflicts.withLock { $0.append("\(policy) of \(kind) \(name)") }
                return .policy(policy)
            }
        }

        private func warehouse(of index: Int) -> WarehouseStack { warehouses[index % warehouses.count] }

        private func setUp() throws {
            let context = warehouses[0].newContext()
            var boxes: [Warehouse.Box] = try (0..<3).map { try context.make(Warehouse.Box.self, "box \($0)") }
            let crate = try context.make(Warehouse.Crate.self, "crate")
            boxes.append(crate)
            boxes[1].outer = boxes[0]
            boxes[1].next = boxes[2]
            for (number, box) in boxes.enumerated() {
                try context.make(Warehouse.Thing.self, "thing \(number)").box = box
                for place in 0..<2 { try context.make(Warehouse.Label.self, "label \(number).\(place)").box = box }
                box.lid = try context.make(Warehouse.Lid.self, "lid \(number)")
                box.marks = [try context.make(Warehouse.Mark.self, "mark \(number)")]
                box.keys = [try context.make(Warehouse.Key.self, "key \(number)")]
            }
            try context.make(Warehouse.Slip.self, "slip").crate = crate
            try context.make(Warehouse.Paper.self, "paper").box = boxes[2]
            try context.make(Warehouse.Tool.self, "tool").box = boxes[0]
            _ = try context.make(Warehouse.Lid.self, "lid")
            _ = try context.make(Warehouse.Guest.self, "guest")
            _ = try context.make(Warehouse.Seal.self, "seal")
            try context.save()
        }

        /// Writes a step down.
        mutating func note(_ step: String) { steps.append(step) }
        mutating func count(_ kind: String) { tally[kind, default: 0] += 1 }

        // MARK: The run

        mutating func run(steps count: Int) throws {
            do {
                for _ in 0..<count { try step() }
                for index in [2, 3, 0, 1] { try save(index) }
                try check()
            } catch {
                throw Violation(description: "\(error)\n    " + steps.joined(separator: "\n    "))
            }
            for conflict in conflicts.withLock({ $0 }) { self.count(conflict) }
        }

        private mutating func step() throws {
            // A child takes part now and then.
            let seat = Int.random(in: 0..<8, using: &random)
            let index = seat < 2 ? seat + 2 : seat % 2
            switch Int.random(in: 0..<22, using: &random) {
            case 0: try fetchAll(index)
            case 1, 2:
                try save(index)
                try check()
            case 3:
                try saveTogether()
                try check()
            case 4: contexts[index].processPendingChanges()
            case 5: undo(index)
            default: try change(index)
            }
        }

        private mutating func fetchAll(_ index: Int) throws {
            note("\(index) fetches")
            count(index < 2 ? "fetch" : "child's fetch")
            objects[index] = try Warehouse.entities.flatMap {
                try contexts[index].fetch(FetchRequest(entityName: $0))
            }
        }

        private mutating func undo(_ index: Int) {
            guard let manager = contexts[index].undoManager else { return }
            contexts[index].processPendingChanges()
            let isRedo = manager.canRedo && Bool.random(using: &random)
            if !isRedo, !manager.canUndo { return }
            note("\(index) \(isRedo ? "redoes" : "undoes")")
            count(isRedo ? "redo" : "undo")
            if isRedo { manager.redo() } else { manager.undo() }
            // What was deleted is back.
            objects[index] = contexts[index].identities.objects.sorted { $0.key < $1.key }
            // Some may be faults without a row.
            for object in objects[index] { _ = object.isDeleted || (try? object.value(forKey: "name")) != nil }
        }

        private mutating func save(_ index: Int) throws {
            let end = Result { [context = contexts[index]] in try context.save() }
            try take(end, of: index)
            contexts[index].endTurn()
        }

        private mutating func saveTogether() throws {
            if warehouses.count > 1 {
                for index in 0..<2 { try save(index) }
                return
            }
            note("together:")
            for context in contexts { context.endTurn() }
            let ends = warehouses[0].stack.coordinator.saveTogether(Array(contexts.prefix(2)))
            for index in 0..<2 { try take(ends[index], of: index) }
            count("saved together")
        }

        private mutating func take(_ end: Result<Void, any Error>, of index: Int) throws {
            do {
                try end.get()
                note("\(index) saves")
                count(index < 2 ? "save" : "child's save")
                commits += 1
            } catch let error as SaveError where Self.expected.contains(error.code) {
                note("\(index) is refused: \(error.code.rawValue) \(error.conflicts.map(\.relationship))")
                if error.code == .mergeConflict, contexts[index].mergePolicy != .error {
                    throw Violation(description: "a policy that settles conflicts gives up: \(error)")
                }
                refusals += 1
                count("\(index < 2 ? "save" : "child's save") refused: \(error.code)")
                for conflict in error.conflicts {
                    count("error of \(conflict.objectID.entityName).\(conflict.relationship ?? "")")
                }
                contexts[index].rollback()
            }
            objects[index].removeAll { [context = contexts[index]] in !Self.isAlive($0, in: context) }
        }

        private static let expected: Set<SaveError.Code> = [
            .mergeConflict, .missingMandatoryProperty, .relationshipDeniedDelete, .multipleValidationErrors,
        ]

        static func isAlive(_ object: ManagedObject, in context: ManagedObjectContext) -> Bool {
            context.identities.find(object.key) === object && !object.isDeleted
        }

        // MARK: What must hold

        private func check() throws {
            let problems = try warehouses[0].brokenReferences()
            if !problems.isEmpty { throw Violation(description: problems.joined(separator: "; ")) }
            // One that follows no commits may hold members that are gone.
            for (index, context) in contexts.enumerated() where contexts[index % 2].followsCommits {
                do {
                    try context.checkInvariants()
                } catch {
                    throw Violation(description: "context \(index): \(error)")
                }
            }
        }
    }
#endif
