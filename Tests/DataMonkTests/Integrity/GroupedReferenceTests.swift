#if Macros
    import DataMonk
    import Testing

    /// Integrity among the members of one store transaction, which nobody else has seen yet.
    @Suite struct `References within a grouped commit` {
        private typealias Box = Warehouse.Box
        private typealias Thing = Warehouse.Thing

        /// One context deletes a box, the other puts a thing into it.
        private func contexts(
            _ warehouse: WarehouseStack, _ policy: MergePolicy
        ) throws -> (deleting: ManagedObjectContext, putting: ManagedObjectContext) {
            let id = try warehouse.box()
            let (deleting, putting) = (warehouse.newContext(policy), warehouse.newContext(policy))
            deleting.delete(try deleting.use(id, as: Box.self))
            deleting.processPendingChanges()
            try putting.make(Thing.self, "thing").box = try putting.use(id, as: Box.self)
            return (deleting, putting)
        }

        @Test(arguments: StoreKind.allCases)
        func `a reference to what an earlier member deletes is a conflict`(kind: StoreKind) throws {
            let warehouse = try WarehouseStack(kind)
            let (deleting, putting) = try contexts(warehouse, .error)
            let ends = warehouse.stack.coordinator.saveTogether([deleting, putting])
            #expect(throws: Never.self) { try ends[0].get() }
            let error = try #require(throws: SaveError.self) { try ends[1].get() }
            #expect(error.code == .mergeConflict)
            #expect(try warehouse.names("Thing").isEmpty && warehouse.names("Box").isEmpty)
        }

        @Test(arguments: StoreKind.allCases)
        func `a deletion of what an earlier member refers to is a conflict`(kind: StoreKind) throws {
            let warehouse = try WarehouseStack(kind)
            let (deleting, putting) = try contexts(warehouse, .error)
            let ends = warehouse.stack.coordinator.saveTogether([putting, deleting])
            #expect(throws: Never.self) { try ends[0].get() }
            #expect(throws: SaveError.self) { try ends[1].get() }
            #expect(try warehouse.names("Thing") == ["thing"] && warehouse.names("Box") == ["box"])
        }

        @Test(arguments: StoreKind.allCases)
        func `a cascade reaches what an earlier member has put there`(kind: StoreKind) throws {
            let warehouse = try WarehouseStack(kind)
            let (deleting, putting) = try contexts(warehouse, .mergeByPropertyObjectTrump)
            let ends = warehouse.stack.coordinator.saveTogether([putting, deleting])
            for end in ends { #expect(throws: Never.self) { try end.get() } }
            #expect(try warehouse.names("Thing").isEmpty && warehouse.names("Box").isEmpty)
        }
    }
#endif
