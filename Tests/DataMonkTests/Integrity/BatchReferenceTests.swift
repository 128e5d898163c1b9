#if Macros
    import DataMonk
    import Testing

    /// Batch requests check what they set.
    @Suite struct `References of batch requests` {
        private let warehouse: WarehouseStack
        private let context: ManagedObjectContext
        private let gone: AnyObjectID

        init() throws {
            warehouse = try WarehouseStack(.file)
            gone = try warehouse.box()
            context = warehouse.newContext()
            _ = try context.make(Warehouse.Label.self, "label")
            context.delete(try context.use(gone, as: Warehouse.Box.self))
            try context.save()
        }

        @Test func `an insertion that refers to nobody is refused`() throws {
            let request = BatchInsertRequest(
                entityName: "Label", objects: [["name": "a"], ["name": "b", "box": .object(gone)]])
            let error = try #require(throws: SaveError.self) { try context.execute(request) }
            #expect(error.code == .mergeConflict && error.message.contains("Label.box"))
            #expect(try warehouse.names("Label") == ["label"])
        }

        @Test func `an update that refers to nobody is refused`() throws {
            let request = BatchUpdateRequest(
                entityName: "Label", propertiesToUpdate: ["box": .value(.object(gone))])
            let error = try #require(throws: SaveError.self) { try context.execute(request) }
            #expect(error.code == .mergeConflict)
            #expect(try warehouse.newContext().all(Warehouse.Label.self).map(\.box) == [nil])
        }

        @Test func `a reference to what a batch deletes is a conflict`() throws {
            let id = try warehouse.box()
            let other = warehouse.newContext()
            try other.make(Warehouse.Label.self, "late").box = try other.use(id, as: Warehouse.Box.self)
            try context.execute(BatchDeleteRequest(objectIDs: [id]))
            #expect(throws: SaveError.self) { try other.save() }
        }
    }
#endif
