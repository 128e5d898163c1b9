#if Macros
    import DataMonk
    import Testing

    /// A context that writes has the two sides of a one-to-one from two states of the store: one was read before another
    /// process's commit, the other one after it.
    @Suite struct `One-to-ones that others set between two reads` {
        private typealias Box = Warehouse.Box
        private typealias Lid = Warehouse.Lid

        private let folder: TemporaryFolder
        private let ours: WarehouseStack
        /// Another process's objects.
        private let theirs: ManagedObjectContext
        private let box: Box
        private let (lid, other): (Lid, Lid)
        private let theirStack: WarehouseStack

        init() throws {
            folder = try TemporaryFolder()
            let file = folder.file("warehouse.sqlite")
            theirStack = try WarehouseStack(over: file)
            ours = try WarehouseStack(over: file)
            theirs = theirStack.newContext()
            box = try theirs.make(Box.self, "box")
            lid = try theirs.make(Lid.self, "lid")
            other = try theirs.make(Lid.self, "other")
            try theirs.save()
        }

        /// A context's object for one of the other process, as a fault.
        private func own<Object: ManagedObject>(_ object: Object, _ context: ManagedObjectContext) throws -> Object {
            try #require(context.object(for: object.anyObjectID.key) as? Object)
        }

        /// The lid of the box, and the box of the lid, by their names.
        private func stored() throws -> [String?] {
            #expect(try ours.brokenReferences() == [])
            let context = ours.newContext()
            return [try own(box, context).lid?.name, try own(lid, context).box?.name]
        }

        private func expectConflict(_ context: ManagedObjectContext, of lid: Lid) throws {
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .mergeConflict && error.conflicts.map(\.objectID) == [lid.anyObjectID])
            #expect(error.conflicts.map(\.relationship) == ["box"] && error.message.contains("Lid.box"))
            #expect(error.conflicts.first?.otherObjectIDs.map(\.key) == [box.anyObjectID.key])
            #expect(try ours.brokenReferences() == [])
        }

        /// The box led to the lid when it was read, and by now leads to another one: the lid is set to the box, which
        /// changes nothing of what is known of the box.
        @Test(arguments: [MergePolicy.error] + MergePolicy.settling)
        func `agree where a side is set to what the other one said before`(policy: MergePolicy) throws {
            box.lid = lid
            try theirs.save()
            let context = ours.newContext(policy)
            let mine = try #require(try own(box, context).lid)
            #expect(mine.isFault)
            context.endTurn()
            other.box = box
            try theirs.save()
            #expect(mine.box == nil)
            mine.box = try own(box, context)
            if policy == .error { return try expectConflict(context, of: mine) }
            try context.save()
            try context.checkInvariants()
            #expect(try stored() == (MergePolicy.deletionWins.contains(policy) ? ["lid", "box"] : ["other", nil]))
        }

        /// The box led to no lid when it was read, and leads to this one by now: that the lid leaves the box changes
        /// nothing of what is known of the box.
        @Test(arguments: [MergePolicy.error] + MergePolicy.settling)
        func `agree where a side leaves the other one that had nothing before`(policy: MergePolicy) throws {
            let context = ours.newContext(policy)
            let mine = try own(box, context)
            #expect(mine.lid == nil)
            context.endTurn()
            let fault = try own(lid, context)
            lid.box = box
            try theirs.save()
            #expect(fault.box === mine)
            fault.box = nil
            if policy == .error { return try expectConflict(context, of: fault) }
            try context.save()
            try context.checkInvariants()
            #expect(try stored() == (MergePolicy.deletionWins.contains(policy) ? [nil, nil] : ["lid", "box"]))
        }
    }
#endif
