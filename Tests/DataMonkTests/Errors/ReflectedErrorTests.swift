#if Macros
    import DataMonk
    import Testing

    /// Swift Testing looks into each error that a test expects, ten levels deep, and so do `dump` and debuggers.
    @Suite struct `Errors in mirrors` {
        /// The number of values that Swift Testing looks at.
        private func count(in value: Any, depth: Int = 0) -> Int {
            guard depth < 10 else { return 1 }
            return Mirror(reflecting: value).children.reduce(1) { $0 + count(in: $1.value, depth: depth + 1) }
        }

        @Test func `an error of a save shows its objects' ids, and nothing behind them`() throws {
            let warehouse = try WarehouseStack(.memory)
            let setUp = warehouse.newContext()
            let box = try setUp.make(Warehouse.Box.self, "box")
            try setUp.save()
            let context = warehouse.newContext(.error)
            context.delete(try context.use(box.anyObjectID, as: Warehouse.Box.self))
            try setUp.make(Warehouse.Thing.self, "new").box = box
            try setUp.save()
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.conflicts.count == 1)
            #expect(count(in: error) < 100)
        }

        @Test func `an id is a single value`() throws {
            let context = try WarehouseStack(.memory).newContext()
            let box = try context.make(Warehouse.Box.self, "box")
            #expect(count(in: box.anyObjectID) == 1 && count(in: box.objectID) == 1)
            var text = ""
            dump(box.anyObjectID, to: &text)
            #expect(text == "- \(box.anyObjectID)\n")
        }
    }
#endif
