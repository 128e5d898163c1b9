#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Another process has deleted what is referred to, or refers to what is deleted.
    @Suite struct `References across processes` {
        private typealias Box = Warehouse.Box
        private typealias Thing = Warehouse.Thing

        private let folder: TemporaryFolder
        private let file: URL

        init() throws {
            folder = try TemporaryFolder()
            file = folder.file("warehouse.sqlite")
        }

        /// What another process does with the only box of a file.
        enum Deed: Codable, Sendable, CaseIterable {
            case delete, putIn

            func run(on file: URL) throws {
                let warehouse = try WarehouseStack(over: file)
                let context = warehouse.newContext()
                let box = try #require(try context.all(Box.self).first)
                switch self {
                case .delete: context.delete(box)
                case .putIn: try context.make(Thing.self, "theirs").box = box
                }
                try context.save()
                try warehouse.stack.close()
            }
        }

        @Test(arguments: [MergePolicy.error, .mergeByPropertyObjectTrump])
        func `a reference to what another process has deleted is a conflict`(policy: MergePolicy) async throws {
            let warehouse = try WarehouseStack(over: file)
            let context = warehouse.newContext(policy)
            let box = try context.use(try warehouse.box(), as: Box.self)
            let label = try context.make(Warehouse.Label.self, "label")
            label.box = box
            context.endTurn()
            await #expect(processExitsWith: .success) { [file = file as URL] in try Deed.delete.run(on: file) }
            if policy == .error {
                #expect(throws: SaveError.self) { try context.save() }
                #expect(try warehouse.names("Label").isEmpty)
            } else {
                try context.save()
                #expect(try label.box == nil && warehouse.names("Label") == ["label"])
            }
        }

        @Test(arguments: [MergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump])
        func `a deletion of what another process refers to is a conflict`(policy: MergePolicy) async throws {
            let warehouse = try WarehouseStack(over: file)
            let context = warehouse.newContext(policy)
            context.delete(try context.use(try warehouse.box(), as: Box.self))
            context.processPendingChanges()
            context.endTurn()
            await #expect(processExitsWith: .success) { [file = file as URL] in try Deed.putIn.run(on: file) }
            if policy == .error {
                #expect(throws: SaveError.self) { try context.save() }
            } else {
                try context.save()
            }
            let isGone = policy == .mergeByPropertyObjectTrump
            #expect(try warehouse.names("Thing") == (isGone ? [] : ["theirs"]))
            #expect(try warehouse.names("Box") == (isGone ? [] : ["box"]))
        }
    }
#endif
