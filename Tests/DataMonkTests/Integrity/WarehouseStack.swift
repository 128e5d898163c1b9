#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// A stack over the warehouse's model with one store, and the contexts that a test makes on it.
    final class WarehouseStack {
        let stack: Stack
        private let folder: TemporaryFolder?
        /// Objects do not outlive their context; tests look at them in one expression.
        private var contexts: [ManagedObjectContext] = []

        init(_ kind: StoreKind) throws {
            stack = Stack(model: try Warehouse.model.get())
            switch kind {
            case .memory:
                folder = nil
                try stack.addInMemoryStore()
            case .file:
                let folder = try TemporaryFolder()
                self.folder = folder
                try stack.addDatabaseStore(
                    fileURL: folder.url.appendingPathComponent("warehouse.sqlite"), synchronous: .normal)
            }
        }

        /// Another stack over a file, as another process would have.
        init(over file: URL) throws {
            stack = Stack(model: try Warehouse.model.get())
            folder = nil
            try stack.addDatabaseStore(fileURL: file, synchronous: .normal)
        }

        deinit {
            // Reason for try?: what cannot be closed is the system's to clean up.
            try? stack.close()
        }

        /// A context that knows no object.
        func newContext(_ mergePolicy: MergePolicy = .error, followsCommits: Bool = true) -> ManagedObjectContext {
            for context in contexts { context.endTurn() }
            let context = ManagedObjectContext(
                coordinator: stack.coordinator, mergePolicy: mergePolicy, followsCommits: followsCommits)
            contexts.append(context)
            return context
        }

        /// A stored box with a name.
        func box(_ name: String = "box") throws -> AnyObjectID {
            let context = newContext()
            let box = try context.make(Warehouse.Box.self, name)
            try context.save()
            return box.anyObjectID
        }

        /// The names of the stored objects of an entity.
        func names(_ entity: String) throws -> [String] {
            try newContext().fetch(FetchRequest(entityName: entity)).map { object in
                guard case .string(let name) = try object.value(forKey: "name") else { return "" }
                return name
            }.sorted()
        }
    }

    extension ManagedObjectContext {
        func make<Object: ManagedObject>(_ type: Object.Type, _ name: String) throws -> Object {
            let object = try insert(type)
            try object.setValue(.string(name), forKey: "name")
            return object
        }

        /// This context's object of an id.
        func use<Object: ManagedObject>(_ id: AnyObjectID, as type: Object.Type) throws -> Object {
            try #require(try existingObject(with: id) as? Object)
        }
    }

    extension MergePolicy {
        /// Those that settle conflicts, for tests over all.
        static let settling: [MergePolicy] = [
            .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        static let deletionWins: [MergePolicy] = [.mergeByPropertyObjectTrump, .overwrite]
        static let storeWins: [MergePolicy] = [.mergeByPropertyStoreTrump, .rollback]
    }
#endif
