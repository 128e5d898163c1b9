#if Macros
    import DataMonk
    import DataMonkTesting

    /// One random schedule: two contexts change the warehouse in turn, and commit alone or together.
    struct IntegrityRun {
        /// How the two contexts come to the store.
        enum Setting: CaseIterable {
            case memory, file
            /// Two stacks over one file, as two processes have.
            case twoStacks
        }

        private typealias Box = Warehouse.Box

        /// What a schedule got wrong.
        struct Violation: Error, CustomStringConvertible {
            let description: String
        }

        private let warehouses: [WarehouseStack]
        private let folder: TemporaryFolder?
        private var contexts: [ManagedObjectContext] = []
        /// What each context works with; some of it may be gone.
        private var objects: [[ManagedObject]] = [[], []]
        private var random: SeededGenerator
        private var steps: [String] = []
        private(set) var refusals = 0
        private(set) var commits = 0

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
            for index in 0..<2 {
                let policy = Self.policies[Int.random(in: 0..<Self.policies.count, using: &random)]
                let follows = Int.random(in: 0..<6, using: &random) > 0
                contexts.append(warehouse(of: index).newContext(policy, followsCommits: follows))
                steps.append("context \(index): \(policy), follows: \(follows)")
                try fetchAll(index)
            }
        }

        private static let policies: [MergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]

        private func warehouse(of index: Int) -> WarehouseStack { warehouses[index % warehouses.count] }

        private func setUp() throws {
            let context = warehouses[0].newContext()
            let boxes = try (0..<3).map { try context.make(Box.self, "box \($0)") }
            boxes[1].outer = boxes[0]
            for (number, box) in boxes.enumerated() {
                try context.make(Warehouse.Thing.self, "thing \(number)").box = box
                try context.make(Warehouse.Label.self, "label \(number)").box = box
                box.lid = try context.make(Warehouse.Lid.self, "lid \(number)")
                box.marks = [try context.make(Warehouse.Mark.self, "mark \(number)")]
                box.keys = [try context.make(Warehouse.Key.self, "key \(number)")]
            }
            _ = try context.make(Warehouse.Lid.self, "lid")
            _ = try context.make(Warehouse.Guest.self, "guest")
            _ = try context.make(Warehouse.Seal.self, "seal")
            try context.save()
        }

        // MARK: The run

        mutating func run(steps count: Int) throws {
            do {
                for _ in 0..<count { try step() }
                for index in 0..<2 { try save(index) }
                try check()
            } catch {
                throw Violation(description: "\(error)\n    " + steps.joined(separator: "\n    "))
            }
        }

        private mutating func step() throws {
            let index = Int.random(in: 0..<2, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: try fetchAll(index)
            case 1, 2:
                try save(index)
                try check()
            case 3:
                try saveTogether()
                try check()
            case 4: contexts[index].processPendingChanges()
            default: try change(index)
            }
        }

        private mutating func fetchAll(_ index: Int) throws {
            steps.append("\(index) fetches")
            objects[index] = try Warehouse.entities.flatMap {
                try contexts[index].fetch(FetchRequest(entityName: $0))
            }
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
            steps.append("together:")
            for context in contexts { context.endTurn() }
            let ends = warehouses[0].stack.coordinator.saveTogether(contexts)
            for index in 0..<2 { try take(ends[index], of: index) }
        }

        private mutating func take(_ end: Result<Void, any Error>, of index: Int) throws {
            do {
                try end.get()
                steps.append("\(index) saves")
                commits += 1
            } catch let error as SaveError where Self.expected.contains(error.code) {
                steps.append("\(index) is refused: \(error.code.rawValue) \(error.conflicts.map(\.relationship))")
                if error.code == .mergeConflict, contexts[index].mergePolicy != .error {
                    throw Violation(description: "a policy that settles conflicts gives up: \(error)")
                }
                refusals += 1
                contexts[index].rollback()
            }
            objects[index].removeAll { [context = contexts[index]] in !Self.isAlive($0, in: context) }
        }

        private static let expected: Set<SaveError.Code> = [
            .mergeConflict, .missingMandatoryProperty, .relationshipDeniedDelete, .multipleValidationErrors,
        ]

        private static func isAlive(_ object: ManagedObject, in context: ManagedObjectContext) -> Bool {
            context.identities.find(object.key) === object && !object.isDeleted
        }

        // MARK: Changes

        private mutating func pick<Object: ManagedObject>(_ type: Object.Type, _ index: Int) -> Object? {
            let context = contexts[index]
            let alive = objects[index].compactMap { $0 as? Object }.filter { Self.isAlive($0, in: context) }
            return alive.randomElement(using: &random)
        }

        private mutating func change(_ index: Int) throws {
            let number = Int.random(in: 0..<26, using: &random)
            let box = Int.random(in: 0..<5, using: &random) == 0 ? nil : pick(Box.self, index)
            steps.append("\(index) change \(number) of \(box.map { "\($0.name), \($0.key.rawValue)" } ?? "no box")")
            switch number {
            case 0, 1:
                box.map { steps.append("\(index) deletes \($0.name)") }
                box.map(contexts[index].delete)
            case 2, 3: try make(Warehouse.Thing.self, index).box = pick(Box.self, index)
            case 4: try make(Warehouse.Label.self, index).box = box
            case 5: try make(Warehouse.Tool.self, index).box = box
            case 6: try make(Warehouse.Paper.self, index).box = pick(Box.self, index)
            case 7: try make(Warehouse.Note.self, index).box = box
            case 8: try make(Warehouse.Pin.self, index).box = box
            case 9: try make(Warehouse.Lid.self, index).box = box
            case 10: pick(Warehouse.Thing.self, index)?.box = pick(Box.self, index)
            case 11: pick(Warehouse.Label.self, index)?.box = box
            case 12: pick(Warehouse.Tool.self, index)?.box = nil
            case 13, 14: pick(Warehouse.Lid.self, index)?.box = box
            case 15: box?.lid = pick(Warehouse.Lid.self, index)
            case 16: box?.outer = pick(Box.self, index)
            case 17: pick(Warehouse.Thing.self, index).map { $0.name += "'" }
            case 18: box.map { $0.name += "'" }
            default: try changeLinks(number, of: box, index)
            }
        }

        private mutating func changeLinks(_ number: Int, of box: Box?, _ index: Int) throws {
            switch number {
            case 19: pick(Warehouse.Mark.self, index).map { mark in box?.marks.formSymmetricDifference([mark]) }
            case 20: pick(Warehouse.Key.self, index).map { key in box?.keys.formSymmetricDifference([key]) }
            case 21: pick(Warehouse.Seal.self, index).map { seal in box?.seals.formSymmetricDifference([seal]) }
            case 22: pick(Warehouse.Guest.self, index).map { guest in box?.guests.formSymmetricDifference([guest]) }
            case 23: pick(Warehouse.Mark.self, index).map { contexts[index].delete($0) }
            case 24: pick(Warehouse.Lid.self, index).map { contexts[index].delete($0) }
            default: try make(Box.self, index).outer = box
            }
        }

        private mutating func make<Object: ManagedObject>(_ type: Object.Type, _ index: Int) throws -> Object {
            let object = try contexts[index].make(type, "\(type) of \(index)")
            objects[index].append(object)
            return object
        }

        // MARK: What must hold

        private func check() throws {
            let problems = try warehouses[0].brokenReferences()
            if !problems.isEmpty { throw Violation(description: problems.joined(separator: "; ")) }
            // One that follows no commits may hold members that are gone.
            for (index, context) in contexts.enumerated() where context.followsCommits {
                do {
                    try context.checkInvariants()
                } catch {
                    throw Violation(description: "context \(index): \(error)")
                }
            }
        }
    }
#endif
