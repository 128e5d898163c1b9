#if Macros
    import DataMonk
    import Testing

    /// A merge policy takes a deletion back, while others of the same save go on.
    @Suite struct `Deletions that are taken back` {
        private typealias Box = Warehouse.Box

        @Test(arguments: StoreKind.allCases, MergePolicy.storeWins)
        func `leave no members that are deleted on their own`(kind: StoreKind, policy: MergePolicy) throws {
            for isBoxFirst in [true, false] {
                let warehouse = try WarehouseStack(kind)
                let setUp = warehouse.newContext()
                let box = try setUp.make(Box.self, "box")
                let mark = try setUp.make(Warehouse.Mark.self, "mark")
                box.marks = [mark]
                try setUp.save()
                let context = warehouse.newContext(policy)
                let mine = try context.use(box.anyObjectID, as: Box.self)
                let deleted = [mine, try context.use(mark.anyObjectID, as: Warehouse.Mark.self)]
                for object in isBoxFirst ? deleted : deleted.reversed() {
                    context.delete(object)
                    context.processPendingChanges()
                }
                box.name = "renamed"
                try setUp.save()
                try context.save()
                try context.checkInvariants()
                #expect(try warehouse.names("Mark").isEmpty && warehouse.names("Box") == ["renamed"])
                #expect(mine.marks.isEmpty && !context.hasChanges)
                #expect(try warehouse.brokenReferences().isEmpty)
            }
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.storeWins)
        func `leave a lid and a label that are deleted on their own`(
            kind: StoreKind, policy: MergePolicy
        ) throws {
            for isBoxFirst in [true, false] {
                let warehouse = try WarehouseStack(kind)
                let setUp = warehouse.newContext()
                let box = try setUp.make(Box.self, "box")
                let (lid, key) = (try setUp.make(Warehouse.Lid.self, "lid"), try setUp.make(Warehouse.Key.self, "key"))
                let label = try setUp.make(Warehouse.Label.self, "label")
                (box.lid, box.keys, box.labels) = (lid, [key], [label])
                try setUp.save()
                let context = warehouse.newContext(policy)
                let mine = try context.use(box.anyObjectID, as: Box.self)
                let others: [ManagedObject] = [
                    try context.use(lid.anyObjectID, as: Warehouse.Lid.self),
                    try context.use(label.anyObjectID, as: Warehouse.Label.self),
                ]
                for object in isBoxFirst ? [mine] + others : others + [mine] {
                    context.delete(object)
                    context.processPendingChanges()
                }
                box.name = "renamed"
                try setUp.save()
                try context.save()
                try context.checkInvariants()
                #expect(try warehouse.names("Lid").isEmpty && warehouse.names("Label").isEmpty)
                #expect(try warehouse.names("Box") == ["renamed"] && warehouse.names("Key") == ["key"])
                #expect(mine.lid == nil && mine.labels.isEmpty && mine.keys.count == 1)
                #expect(try warehouse.brokenReferences().isEmpty)
            }
        }

        @Test(arguments: StoreKind.allCases, MergePolicy.storeWins)
        func `bring back what was never saved and went along`(kind: StoreKind, policy: MergePolicy) throws {
            for followsCommits in [true, false] {
                let warehouse = try WarehouseStack(kind)
                let setUp = warehouse.newContext()
                let box = try setUp.make(Box.self, "box")
                try setUp.save()
                let context = warehouse.newContext(policy, followsCommits: followsCommits)
                let mine = try context.use(box.anyObjectID, as: Box.self)
                let thing = try context.make(Warehouse.Thing.self, "thing")
                thing.box = mine
                context.delete(mine)
                context.processPendingChanges()
                #expect(thing.managedObjectContext == nil)
                box.name = "renamed"
                try setUp.save()
                try context.save()
                try context.checkInvariants()
                #expect(thing.managedObjectContext === context && thing.box === mine && mine.things == [thing])
                #expect(try warehouse.names("Thing") == ["thing"] && warehouse.names("Box") == ["renamed"])
            }
        }
    }
#endif
