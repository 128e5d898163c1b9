#if Macros
    import DataMonk
    import Testing

    /// A root and a chain of children over one empty store.
    struct Family {
        let office: OfficeStack
        /// The root first; each but the root is a child of the one before it.
        let contexts: [ManagedObjectContext]

        init(
            _ kind: StoreKind = .memory, depth: Int, mergePolicy: MergePolicy = .error, follows: Bool = false
        ) throws {
            office = try OfficeStack(kind)
            var contexts = [office.newContext()]
            for _ in 0..<depth {
                contexts.append(
                    ManagedObjectContext(
                        parent: contexts[contexts.count - 1], mergePolicy: mergePolicy,
                        automaticallyMergesChangesFromParent: follows))
            }
            self.contexts = contexts
        }

        var root: ManagedObjectContext { contexts[0] }
        /// The youngest.
        var child: ManagedObjectContext { contexts[contexts.count - 1] }

        /// What an independent reader finds.
        func stored<Object: ManagedObject>(_ type: Object.Type) throws -> [Object] {
            try office.newContext().all(type)
        }

        func only<Object: ManagedObject>(_ type: Object.Type, in context: ManagedObjectContext) throws -> Object {
            let all = try context.all(type)
            try #require(all.count == 1)
            return all[0]
        }
    }
#endif
