#if Macros
    import DataMonk
    import DataMonkTesting

    extension IntegrityRun {
        private typealias Box = Warehouse.Box

        /// **Value.** What one context does to one or two objects.
        enum Change: String, CaseIterable {
            case deleteBox, deleteLid, deleteMark, deleteKey, deleteSeal, deleteThing, deleteGuest
            case makeBox, makeCrate, makeThing, makeLabel, makeTool, makePaper, makeNote, makePin, makeLid, makeSlip
            case moveThing, moveLabel, movePaper, moveNote, moveSlip, movePin, freeTool
            case setBoxOfLid, setLidOfBox, setOuter, setNext, setPrevious
            case orderLabels, insertLabel, orderSlips, setThings
            case changeMarks, changeKeys, changeSeals, changeGuests, changeBoxesOfMark
            case renameThing, renameBox

            /// All, and again those that the rules are about.
            fileprivate static let drawn =
                allCases + [.deleteBox, .deleteBox, .deleteBox, .makeThing, .moveThing, .setBoxOfLid, .setOuter]
        }

        mutating func change(_ index: Int) throws {
            let change = Change.drawn.randomElement(using: &random) ?? .renameBox
            let place = steps.count
            let box = Int.random(in: 0..<6, using: &random) > 0 ? pick(Box.self, index) : nil
            let isDone =
                try delete(index, change, box) || make(index, change, box) || move(index, change, box)
                || link(index, change, box)
            let names = steps[place...].joined(separator: ", ")
            steps.removeLast(steps.count - place)
            note("\(index) \(isDone ? "" : "cannot ")\(change)\(box == nil ? ", no box" : ""): \(names)")
            if isDone { count(change.rawValue) }
        }

        private func name(_ object: ManagedObject) -> String {
            guard case .string(let name)? = try? object.value(forKey: "name") else { return "?" }
            return "\(name) (\(object.key.rawValue & 0xffff_ffff))"
        }

        private mutating func pick<Object: ManagedObject>(_ type: Object.Type, _ index: Int) -> Object? {
            let context = contexts[index]
            let alive = objects[index].compactMap { $0 as? Object }.filter { Self.isAlive($0, in: context) }
            guard let object = alive.randomElement(using: &random) else { return nil }
            note(name(object))
            return object
        }

        // Each returns whether it was its turn, and there was something to do.

        private mutating func delete(_ index: Int, _ change: Change, _ box: Warehouse.Box?) -> Bool {
            let object: ManagedObject? =
                switch change {
                case .deleteBox: box
                case .deleteLid: pick(Warehouse.Lid.self, index)
                case .deleteMark: pick(Warehouse.Mark.self, index)
                case .deleteKey: pick(Warehouse.Key.self, index)
                case .deleteSeal: pick(Warehouse.Seal.self, index)
                case .deleteThing: pick(Warehouse.Thing.self, index)
                case .deleteGuest: pick(Warehouse.Guest.self, index)
                default: nil
                }
            guard let object else { return false }
            contexts[index].delete(object)
            return true
        }

        private mutating func make(_ index: Int, _ change: Change, _ box: Warehouse.Box?) throws -> Bool {
            switch change {
            case .makeBox: try make(Box.self, index).outer = box
            case .makeCrate: try make(Warehouse.Crate.self, index).outer = box
            case .makeThing: try make(Warehouse.Thing.self, index).box = pick(Box.self, index)
            case .makeLabel: try make(Warehouse.Label.self, index).box = box
            case .makeTool: try make(Warehouse.Tool.self, index).box = box
            case .makePaper: try make(Warehouse.Paper.self, index).box = pick(Box.self, index)
            case .makeNote: try make(Warehouse.Note.self, index).box = box
            case .makePin: try make(Warehouse.Pin.self, index).box = box
            case .makeLid: try make(Warehouse.Lid.self, index).box = box
            case .makeSlip: try make(Warehouse.Slip.self, index).crate = pick(Warehouse.Crate.self, index)
            default: return false
            }
            return true
        }

        private mutating func make<Object: ManagedObject>(_ type: Object.Type, _ index: Int) throws -> Object {
            let object = try contexts[index].make(type, "\(type) of \(index)")
            objects[index].append(object)
            return object
        }

        private mutating func move(_ index: Int, _ change: Change, _ box: Warehouse.Box?) -> Bool {
            switch change {
            case .moveThing: pick(Warehouse.Thing.self, index).map { $0.box = pick(Box.self, index) } != nil
            case .moveLabel: pick(Warehouse.Label.self, index).map { $0.box = box } != nil
            case .movePaper: pick(Warehouse.Paper.self, index).map { $0.box = pick(Box.self, index) } != nil
            case .moveNote: pick(Warehouse.Note.self, index).map { $0.box = box } != nil
            case .movePin: pick(Warehouse.Pin.self, index).map { $0.box = box } != nil
            case .moveSlip:
                pick(Warehouse.Slip.self, index).map { $0.crate = pick(Warehouse.Crate.self, index) } != nil
            case .freeTool: pick(Warehouse.Tool.self, index).map { $0.box = nil } != nil
            case .setBoxOfLid: pick(Warehouse.Lid.self, index).map { $0.box = box } != nil
            case .setLidOfBox: box.map { $0.lid = pick(Warehouse.Lid.self, index) } != nil
            case .setOuter: box.map { $0.outer = pick(Box.self, index) } != nil
            case .setNext: box.map { $0.next = pick(Box.self, index) } != nil
            case .setPrevious: box.map { $0.previous = nil } != nil
            case .renameThing: pick(Warehouse.Thing.self, index).map { $0.name += "'" } != nil
            case .renameBox: box.map { $0.name += "'" } != nil
            default: false
            }
        }

        private mutating func link(_ index: Int, _ change: Change, _ box: Warehouse.Box?) -> Bool {
            guard let box else { return false }
            switch change {
            case .orderLabels: box.labels.reverse()
            case .insertLabel:
                guard let label = pick(Warehouse.Label.self, index) else { return false }
                box.labels = [label] + box.labels.filter { $0 !== label }
            case .orderSlips:
                guard let crate = pick(Warehouse.Crate.self, index) else { return false }
                crate.slips.reverse()
            case .setThings: box.things = Set([pick(Warehouse.Thing.self, index)].compactMap(\.self))
            case .changeMarks: toggle(\.marks, of: box, index)
            case .changeKeys: toggle(\.keys, of: box, index)
            case .changeSeals: toggle(\.seals, of: box, index)
            case .changeGuests: toggle(\.guests, of: box, index)
            case .changeBoxesOfMark:
                guard let mark = pick(Warehouse.Mark.self, index) else { return false }
                mark.boxes.formSymmetricDifference([box])
            default: return false
            }
            return true
        }

        private mutating func toggle<Object: ManagedObject>(
            _ path: ReferenceWritableKeyPath<Warehouse.Box, Set<Object>>, of box: Warehouse.Box, _ index: Int
        ) {
            guard let object = pick(Object.self, index) else { return }
            box[keyPath: path].formSymmetricDifference([object])
        }
    }
#endif
