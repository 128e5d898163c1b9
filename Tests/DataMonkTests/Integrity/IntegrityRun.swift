#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation

    /// One random schedule: two contexts, and a child of each, change the warehouse in turn, and commit alone or together.
    struct IntegrityRun {
        /// How the two contexts come to the store.
        enum Setting: CaseIterable {
            case memory, file
            /// Two stacks over one file.
            case twoStacks
            /// A stack in each of two processes, over one file. The second context and its child are the other process's.
            case twoProcesses
        }

        /// **Value.** What the schedule has a context do next.
        enum Step: String, Codable {
            case fetch, save, process, undo, change
        }

        /// What a schedule got wrong.
        struct Violation: Error, CustomStringConvertible {
            let description: String
        }

        private let warehouses: [WarehouseStack]
        private let folder: TemporaryFolder?
        /// The process that has the second context.
        private let peer: IntegrityPeer?
        /// The number of contexts of this process that commit: two, or one.
        private let width: Int
        /// Those that commit, and behind them the child of each.
        private(set) var contexts: [ManagedObjectContext] = []
        /// What each context works with; some of it may be gone.
        var objects: [[ManagedObject]] = [[], [], [], []]
        var random: SeededGenerator
        var steps: [String] = []
        var refusals = 0
        var commits = 0
        /// How often each kind of step was taken and each kind of conflict met.
        var tally: [String: Int] = [:]
        private let conflicts = Locked<[String]>([])

        /// - Parameter peer: the other process, if there are to be two.
        init(_ setting: Setting, seed: UInt64, peer: IntegrityPeer? = nil) throws {
            random = SeededGenerator(seed: seed)
            self.peer = peer
            width = peer == nil ? 2 : 1
            switch setting {
            case .memory:
                folder = nil
                warehouses = [try WarehouseStack(.memory)]
            case .file, .twoStacks, .twoProcesses:
                let folder = try TemporaryFolder()
                self.folder = folder
                let file = folder.file("warehouse.sqlite")
                warehouses = try (0..<(setting == .twoStacks ? 2 : 1)).map { _ in try WarehouseStack(over: file) }
            }
            try setUp()
            try openContexts()
            if let file = folder?.file("warehouse.sqlite") { try ask(.open(file: file, seed: random.next())) }
        }

        /// The part of the second process: a context and its child over the file that the first one has set up.
        init(joining file: URL, seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            (peer, width, folder) = (nil, 1, nil)
            warehouses = [try WarehouseStack(over: file)]
            try openContexts()
        }

        private mutating func openContexts() throws {
            for index in 0..<width { try open(index) }
            for index in 0..<width {
                let policy = Self.policies.randomElement(using: &random) ?? .error
                let follows = Bool.random(using: &random)
                contexts.append(
                    ManagedObjectContext(
                        parent: contexts[index], mergePolicy: noting(policy),
                        automaticallyMergesChangesFromParent: follows))
                note("\(index + width) is a child of \(index): \(policy), follows: \(follows)")
                try fetchAll(index + width)
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
                for (side, isChild) in [(0, true), (1, true), (0, false), (1, false)] {
                    try take(.save, side, isChild: isChild)
                }
                try check()
                countConflicts()
                try ask(.close)
            } catch {
                throw Violation(description: "\(error)\n    " + steps.joined(separator: "\n    "))
            }
        }

        /// Counts the conflicts that policies were asked about.
        mutating func countConflicts() {
            for conflict in conflicts.withLock({ $0 }) { count(conflict) }
        }

        private mutating func step() throws {
            // A child takes part now and then.
            let seat = Int.random(in: 0..<8, using: &random)
            let step: Step? =
                switch Int.random(in: 0..<22, using: &random) {
                case 0: .fetch
                case 1, 2: .save
                case 3: nil
                case 4: .process
                case 5: .undo
                default: .change
                }
            if let step { try take(step, seat % 2, isChild: seat < 2) } else { try saveTogether() }
            if step == nil || step == .save { try check() }
        }

        private mutating func take(_ step: Step, _ side: Int, isChild: Bool) throws {
            if side == 1, peer != nil { return try ask(.step(step, isChild: isChild)) }
            try take(step, isChild ? side + width : side)
        }

        mutating func take(_ step: Step, _ index: Int) throws {
            switch step {
            case .fetch: try fetchAll(index)
            case .save: try save(index)
            case .process: contexts[index].processPendingChanges()
            case .undo: undo(index)
            case .change: try change(index)
            }
        }

        /// Has the other process do something, if there is one.
        private mutating func ask(_ order: IntegrityPeer.Order) throws {
            guard let peer else { return }
            try peer.send(order)
            try receive(from: peer)
        }

        private mutating func receive(from peer: IntegrityPeer) throws {
            let report = try peer.receive()
            steps += report.steps.map { "other process: \($0)" }
            (commits, refusals) = (commits + report.commits, refusals + report.refusals)
            tally.merge(report.tally, uniquingKeysWith: +)
            if let failure = report.failure { throw Violation(description: "the other process: \(failure)") }
        }

        private mutating func fetchAll(_ index: Int) throws {
            note("\(index) fetches")
            count(index < width ? "fetch" : "child's fetch")
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
            if let peer {
                note("at the same time:")
                try peer.send(.step(.save, isChild: false))
                let end = Result { try save(0) }
                try receive(from: peer)
                try end.get()
                count("saved at the same time")
                return
            }
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
                count(index < width ? "save" : "child's save")
                commits += 1
            } catch let error as SaveError where Self.expected.contains(error.code) {
                note("\(index) is refused: \(error.code.rawValue) \(error.conflicts.map(\.relationship))")
                if error.code == .mergeConflict, contexts[index].mergePolicy != .error {
                    throw Violation(description: "a policy that settles conflicts gives up: \(error)")
                }
                refusals += 1
                count("\(index < width ? "save" : "child's save") refused: \(error.code)")
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

        private mutating func check() throws {
            let problems = try warehouses[0].brokenReferences()
            if !problems.isEmpty { throw Violation(description: problems.joined(separator: "; ")) }
            try checkContexts()
            try ask(.check)
        }

        /// Checks that the objects of each context agree with each other.
        func checkContexts() throws {
            // One that follows no commits may hold members that are gone.
            for (index, context) in contexts.enumerated() where contexts[index % width].followsCommits {
                do {
                    try context.checkInvariants()
                } catch {
                    throw Violation(description: "context \(index): \(error)")
                }
            }
        }
    }
#endif
