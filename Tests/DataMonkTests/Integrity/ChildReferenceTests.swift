#if Macros
    import DataMonk
    import Testing

    /// A child's save is checked against the unsaved state of its parent.
    @Suite struct `References of a child` {
        private typealias Box = Warehouse.Box
        private typealias Thing = Warehouse.Thing
        private typealias Label = Warehouse.Label

        private let warehouse: WarehouseStack
        private let parent: ManagedObjectContext
        private let box: Box

        init() throws {
            warehouse = try WarehouseStack(.memory)
            let id = try warehouse.box()
            parent = warehouse.newContext()
            box = try parent.use(id, as: Box.self)
        }

        @Test func `to what the parent has deleted are conflicts`() throws {
            let child = ManagedObjectContext(parent: parent)
            let label = try child.make(Label.self, "label")
            label.box = try child.own(box)
            parent.delete(box)
            let error = try #require(throws: SaveError.self) { try child.save() }
            #expect(error.code == .mergeConflict && error.conflicts.first?.relationship == "box")
            #expect(parent.insertedObjects.isEmpty && child.hasChanges)
            child.mergePolicy = .mergeByPropertyObjectTrump
            try child.save()
            try parent.save()
            #expect(try warehouse.newContext().all(Label.self).map(\.box) == [nil])
        }

        @Test func `that are required and would be nulled are not valid`() throws {
            let child = ManagedObjectContext(parent: parent, mergePolicy: .overwrite)
            try child.make(Thing.self, "thing").box = try child.own(box)
            parent.delete(box)
            let error = try #require(throws: SaveError.self) { try child.save() }
            #expect(error.code == .missingMandatoryProperty)
        }

        @Test func `to an object that the parent has never saved and deleted again are conflicts`() throws {
            let fresh = try parent.make(Box.self, "fresh")
            let child = ManagedObjectContext(parent: parent)
            try child.make(Label.self, "label").box = try child.own(fresh)
            parent.delete(fresh)
            parent.processPendingChanges()
            #expect(throws: SaveError.self) { try child.save() }
        }

        @Test func `that is to be deleted meet what the parent has put there`() throws {
            for policy in [MergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
                let child = ManagedObjectContext(parent: parent, mergePolicy: policy)
                child.delete(try child.own(box))
                child.processPendingChanges()
                let thing = try parent.make(Thing.self, "thing")
                thing.box = box
                if policy == .error {
                    let error = try #require(throws: SaveError.self) { try child.save() }
                    #expect(error.conflicts.first?.relationship == "things")
                } else {
                    try child.save()
                }
                #expect(thing.isDeleted == (policy == .mergeByPropertyObjectTrump))
                #expect(box.isDeleted == (policy == .mergeByPropertyObjectTrump))
                parent.rollback()
            }
        }

        @Test func `to what another process deletes are found when the root saves`() throws {
            let child = ManagedObjectContext(parent: parent)
            try child.make(Label.self, "label").box = try child.own(box)
            let other = warehouse.newContext()
            other.delete(try other.use(box.anyObjectID, as: Box.self))
            try other.save()
            try child.save()
            #expect(throws: SaveError.self) { try parent.save() }
            #expect(try warehouse.names("Label").isEmpty)
        }
    }
#endif
