#if Macros
    import DataMonk
    import Testing

    /// An update deletes an object that another one refers to before the commit.
    @Suite struct `Deletions of objects that others refer to` {
        private typealias Box = Warehouse.Box
        private typealias Thing = Warehouse.Thing
        private typealias Label = Warehouse.Label

        /// A box with a thing, deleted in the context; and another update puts something into it.
        private func deletion(
            _ warehouse: WarehouseStack, _ policy: MergePolicy, _ put: (ManagedObjectContext, Box) throws -> Void
        ) throws -> (ManagedObjectContext, Box) {
            let setUp = warehouse.newContext()
            let made = try setUp.make(Box.self, "box")
            try setUp.make(Thing.self, "old").box = made
            try setUp.save()
            let context = warehouse.newContext(policy)
            let box = try context.use(made.anyObjectID, as: Box.self)
            context.delete(box)
            context.processPendingChanges()
            let other = warehouse.newContext()
            try put(other, try other.use(made.anyObjectID, as: Box.self))
            try other.save()
            return (context, box)
        }

        private func putThing(_ other: ManagedObjectContext, _ box: Box) throws {
            try other.make(Thing.self, "new").box = box
        }

        @Test(arguments: StoreKind.allCases)
        func `error: the deletion is a conflict that names the relationship`(kind: StoreKind) throws {
            let warehouse = try WarehouseStack(kind)
            let (context, box) = try deletion(warehouse, .error, putThing)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .mergeConflict && error.message.contains("Box.things"))
            #expect(error.conflicts.map(\.objectID) == [box.anyObjectID])
            #expect(error.conflicts.first?.isDeletion == true)
            #expect(try warehouse.names("Thing") == ["new", "old"])
            #expect(context.hasChanges && box.isDeleted)
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.deletionWins)
        func `object trump: a cascade takes newcomers along, with their hooks and the undo step`(
            kind: StoreKind, policy: MergePolicy
        ) throws {
            let warehouse = try WarehouseStack(kind)
            let (context, _) = try deletion(warehouse, policy, putThing)
            let undo = ContextUndoManager()
            context.undoManager = undo
            var deleted: Set<String> = []
            let observation = context.observeSaves { notice in
                guard case .didSave(let changes) = notice else { return }
                deleted = Set(changes.deleted.map(\.entity.name))
            }
            try context.save()
            withExtendedLifetime(observation) {}
            #expect(try warehouse.names("Thing").isEmpty && warehouse.names("Box").isEmpty)
            #expect(deleted.contains("Thing"))
        }

        @Test(arguments: StoreKind.allCases)
        func `object trump: undo of the deletion brings newcomers back`(kind: StoreKind) throws {
            let warehouse = try WarehouseStack(kind)
            let setUp = warehouse.newContext()
            let made = try setUp.make(Box.self, "box")
            try setUp.save()
            let context = warehouse.newContext(.mergeByPropertyObjectTrump)
            context.undoManager = ContextUndoManager()
            context.delete(try context.use(made.anyObjectID, as: Box.self))
            context.processPendingChanges()
            try setUp.make(Thing.self, "new").box = made
            try setUp.save()
            try context.save()
            #expect(try warehouse.names("Thing").isEmpty)
            context.undo()
            try context.save()
            #expect(try warehouse.names("Thing") == ["new"] && warehouse.names("Box") == ["box"])
            #expect(try warehouse.newContext().all(Thing.self).allSatisfy { $0.box?.name == "box" })
        }

        @Test(arguments: StoreKind.allCases)
        func `a newcomer that is known already hears its hooks`(kind: StoreKind) throws {
            let warehouse = try WarehouseStack(kind)
            let setUp = warehouse.newContext()
            let (box, away) = (try setUp.make(Box.self, "box"), try setUp.make(Box.self, "away"))
            let moving = try setUp.make(Thing.self, "moving")
            moving.box = away
            try setUp.save()
            let context = warehouse.newContext(.mergeByPropertyObjectTrump)
            let mine = try context.use(moving.anyObjectID, as: Thing.self)
            mine.events = []
            context.delete(try context.use(box.anyObjectID, as: Box.self))
            moving.box = box
            try setUp.save()
            try context.save()
            #expect(mine.events == ["prepareForDeletion", "willSave deleted", "didSave"])
            #expect(try warehouse.names("Thing").isEmpty && warehouse.names("Box") == ["away"])
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.storeWins)
        func `store trump: the object and what went with it stay`(kind: StoreKind, policy: MergePolicy) throws {
            let warehouse = try WarehouseStack(kind)
            let (context, box) = try deletion(warehouse, policy, putThing)
            let spare = try context.make(Label.self, "spare")
            try context.save()
            #expect(!box.isDeleted && !context.hasChanges && !spare.isInserted)
            #expect(try warehouse.names("Thing") == ["new", "old"] && warehouse.names("Box") == ["box"])
            #expect(Set(box.things.map(\.name)) == ["new", "old"])
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.storeWins)
        func `store trump: an object that stays keeps its owner, deleted with a cascade`(
            kind: StoreKind, policy: MergePolicy
        ) throws {
            let warehouse = try WarehouseStack(kind)
            let setUp = warehouse.newContext()
            let (outer, inner) = (try setUp.make(Box.self, "outer"), try setUp.make(Box.self, "inner"))
            let beside = try setUp.make(Box.self, "beside")
            (inner.outer, beside.outer) = (outer, outer)
            try setUp.save()
            let context = warehouse.newContext(policy)
            context.delete(try context.use(outer.anyObjectID, as: Box.self))
            context.processPendingChanges()
            try setUp.make(Thing.self, "new").box = inner
            try setUp.save()
            try context.save()
            #expect(try warehouse.names("Box") == ["beside", "inner", "outer"])
            #expect(try warehouse.names("Thing") == ["new"] && !context.hasChanges)
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.deletionWins)
        func `object trump: nullify nulls newcomers`(kind: StoreKind, policy: MergePolicy) throws {
            let warehouse = try WarehouseStack(kind)
            let (context, _) = try deletion(warehouse, policy) { try $0.make(Label.self, "label").box = $1 }
            try context.save()
            #expect(try warehouse.names("Box").isEmpty)
            let labels = try warehouse.newContext().all(Label.self)
            #expect(labels.count == 1 && labels.allSatisfy { $0.box == nil })
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.deletionWins)
        func `object trump: nullify of a required newcomer is not valid`(kind: StoreKind, policy: MergePolicy) throws {
            let warehouse = try WarehouseStack(kind)
            let (context, _) = try deletion(warehouse, policy) {
                try $0.make(Warehouse.Paper.self, "paper").box = $1
            }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .missingMandatoryProperty)
            #expect(try warehouse.names("Box") == ["box"])
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.deletionWins)
        func `object trump: deny refuses the deletion`(kind: StoreKind, policy: MergePolicy) throws {
            for isLink in [false, true] {
                let warehouse = try WarehouseStack(kind)
                let (context, _) = try deletion(warehouse, policy) { other, box in
                    if isLink {
                        box.seals.insert(try other.make(Warehouse.Seal.self, "seal"))
                    } else {
                        try other.make(Warehouse.Tool.self, "tool").box = box
                    }
                }
                let error = try #require(throws: SaveError.self) { try context.save() }
                #expect(error.code == .relationshipDeniedDelete)
                #expect(try warehouse.names("Box") == ["box"])
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `a denied link that was taken out before the deletion is no conflict`(kind: StoreKind) throws {
            let warehouse = try WarehouseStack(kind)
            let setUp = warehouse.newContext()
            let box = try setUp.make(Box.self, "box")
            box.seals = [try setUp.make(Warehouse.Seal.self, "seal")]
            box.keys = [try setUp.make(Warehouse.Key.self, "key")]
            try setUp.save()
            let context = warehouse.newContext()
            let mine = try context.use(box.anyObjectID, as: Box.self)
            (mine.seals, mine.keys) = ([], [])
            context.delete(mine)
            _ = try warehouse.box("other")
            try context.save()
            #expect(try warehouse.names("Seal") == ["seal"] && warehouse.names("Key") == ["key"])
            #expect(try warehouse.names("Box") == ["other"])
        }

        @Test(arguments: StoreKind.allCases)
        func `a cascade over links takes newcomers along`(kind: StoreKind) throws {
            let warehouse = try WarehouseStack(kind)
            let (context, _) = try deletion(warehouse, .mergeByPropertyObjectTrump) { other, box in
                box.keys.insert(try other.make(Warehouse.Key.self, "key"))
            }
            try context.save()
            #expect(try warehouse.names("Box").isEmpty && warehouse.names("Key").isEmpty)
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.deletionWins)
        func `what others have moved to another owner stays`(kind: StoreKind, policy: MergePolicy) throws {
            let warehouse = try WarehouseStack(kind)
            let setUp = warehouse.newContext()
            let (box, away) = (try setUp.make(Box.self, "box"), try setUp.make(Box.self, "away"))
            let (moving, staying) = (try setUp.make(Thing.self, "moving"), try setUp.make(Thing.self, "staying"))
            (moving.box, staying.box) = (box, box)
            try setUp.save()
            let context = warehouse.newContext(policy)
            context.delete(try context.use(box.anyObjectID, as: Box.self))
            context.processPendingChanges()
            moving.box = away
            staying.name = "changed"
            try setUp.save()
            try context.save()
            #expect(try warehouse.names("Box") == ["away"] && warehouse.names("Thing") == ["moving"])
            #expect(!context.hasChanges)
        }

        @Test(arguments: StoreKind.allCases)
        func `what no action and a missing inverse leave may dangle`(kind: StoreKind) throws {
            let warehouse = try WarehouseStack(kind)
            let (context, _) = try deletion(warehouse, .error) { other, box in
                try other.make(Warehouse.Note.self, "note").box = box
                try other.make(Warehouse.Pin.self, "pin").box = box
                box.guests.insert(try other.make(Warehouse.Guest.self, "guest"))
            }
            try context.save()
            #expect(try warehouse.names("Box").isEmpty && warehouse.names("Note") == ["note"])
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.settling)
        func `both sides of a one-to-one agree afterwards`(kind: StoreKind, policy: MergePolicy) throws {
            let warehouse = try WarehouseStack(kind)
            let setUp = warehouse.newContext()
            let (one, two) = (try setUp.make(Box.self, "one"), try setUp.make(Box.self, "two"))
            let lid = try setUp.make(Warehouse.Lid.self, "lid")
            try setUp.save()
            let context = warehouse.newContext(policy)
            try context.use(one.anyObjectID, as: Box.self).lid = context.use(lid.anyObjectID, as: Warehouse.Lid.self)
            two.lid = lid
            try setUp.save()
            try context.save()
            let reading = warehouse.newContext()
            for box in try reading.all(Box.self) { #expect(box.lid == nil || box.lid?.box === box) }
            for lid in try reading.all(Warehouse.Lid.self) { #expect(lid.box?.lid === lid) }
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.storeWins)
        func `a box that stays keeps a lid of which the context knows an older row`(
            kind: StoreKind, policy: MergePolicy
        ) throws {
            let warehouse = try WarehouseStack(kind)
            let setUp = warehouse.newContext()
            let (old, new) = (try setUp.make(Box.self, "old"), try setUp.make(Box.self, "new"))
            let lid = try setUp.make(Warehouse.Lid.self, "lid")
            old.lid = lid
            try setUp.save()
            let conflicts = Locked<[String?]>([])
            let context = warehouse.newContext(
                .custom { conflict in
                    conflicts.withLock { $0.append(conflict.relationship) }
                    return .policy(policy)
                }, followsCommits: false)
            #expect(try context.use(lid.anyObjectID, as: Warehouse.Lid.self).box?.name == "old")
            new.lid = lid
            try setUp.save()
            context.delete(try context.use(new.anyObjectID, as: Box.self))
            try context.save()
            #expect(try warehouse.brokenReferences() == [])
            #expect(conflicts.withLock(\.self) == ["lid"])
            let other = warehouse.newContext()
            #expect(try other.use(new.anyObjectID, as: Box.self).lid?.name == "lid")
        }
    }
#endif
