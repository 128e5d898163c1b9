#if Macros
    import DataMonk
    import Testing

    /// Undo of deletions whose save met what others had put into the deleted object.
    @Suite struct `Deletions that are undone` {
        private typealias Box = Warehouse.Box
        private typealias Thing = Warehouse.Thing
        private typealias Label = Warehouse.Label

        /// A box with a thing, a label, a lid and a key, deleted in a context with an undo manager; and another update puts
        /// more into it.
        private func deletion(_ warehouse: WarehouseStack, _ policy: MergePolicy) throws -> ManagedObjectContext {
            let other = warehouse.newContext()
            let box = try fill(other)
            let context = warehouse.newContext(policy)
            context.undoManager = ContextUndoManager()
            context.delete(try context.use(box.anyObjectID, as: Box.self))
            context.processPendingChanges()
            try other.make(Thing.self, "new").box = box
            try other.make(Label.self, "new").box = box
            box.keys.insert(try other.make(Warehouse.Key.self, "new"))
            let inner = try other.make(Box.self, "inner")
            inner.outer = box
            try other.make(Thing.self, "inside").box = inner
            try other.save()
            return context
        }

        private func fill(_ context: ManagedObjectContext) throws -> Box {
            let box = try context.make(Box.self, "box")
            try context.make(Thing.self, "old").box = box
            try context.make(Label.self, "old").box = box
            box.lid = try context.make(Warehouse.Lid.self, "lid")
            box.keys = [try context.make(Warehouse.Key.self, "old")]
            try context.save()
            return box
        }

        private func expectNothingLost(_ warehouse: WarehouseStack) throws {
            #expect(try warehouse.brokenReferences() == [])
            #expect(try warehouse.names("Box") == ["box", "inner"])
            #expect(try warehouse.names("Thing") == ["inside", "new", "old"])
            let boxes = try warehouse.newContext().all(Box.self)
            let box = try #require(boxes.first { $0.name == "box" })
            #expect(box.things.map(\.name).sorted() == ["new", "old"])
            #expect(box.labels.map(\.name).sorted() == ["new", "old"])
            #expect(box.keys.map(\.name).sorted() == ["new", "old"])
            #expect(box.lid?.name == "lid" && box.inner.map(\.name) == ["inner"])
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.deletionWins)
        func `newcomers that a policy has taken along come back`(kind: StoreKind, policy: MergePolicy) throws {
            let warehouse = try WarehouseStack(kind)
            let context = try deletion(warehouse, policy)
            try context.save()
            #expect(try warehouse.names("Box").isEmpty && warehouse.names("Thing").isEmpty)
            context.undo()
            try context.save()
            try context.checkInvariants()
            try expectNothingLost(warehouse)
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.storeWins)
        func `what a policy has brought back stays`(kind: StoreKind, policy: MergePolicy) throws {
            let warehouse = try WarehouseStack(kind)
            let context = try deletion(warehouse, policy)
            try context.save()
            try expectNothingLost(warehouse)
            context.undo()
            try context.save()
            try context.checkInvariants()
            try expectNothingLost(warehouse)
        }
    }
#endif
