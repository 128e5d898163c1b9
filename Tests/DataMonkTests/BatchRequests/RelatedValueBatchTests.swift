#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Batch updates whose values come from related objects: from all as they were before the update.
    @Suite struct `Batch updates from related objects` {
        /// A chain: each node is the parent of the one before it, and the last one of nothing's.
        private final class Chain {
            private static let model = Result {
                try ManagedObjectModel {
                    EntityDescription("Node") {
                        AttributeDescription("amount", .integer64)
                        AttributeDescription("label", .string)
                        RelationshipDescription(
                            "children", to: "Node", inverse: "parent", isToMany: true, isOrdered: true)
                        RelationshipDescription("parent", to: "Node")
                    }
                }
            }

            let stack: Stack
            let recorder = StatementRecorder()
            private let folder: TemporaryFolder
            private let ids: [AnyObjectID]

            init(_ kind: StoreKind) throws {
                folder = try TemporaryFolder()
                stack = Stack(model: try Self.model.get(), trace: recorder.trace)
                switch kind {
                case .memory: try stack.addInMemoryStore()
                case .file: try stack.addDatabaseStore(fileURL: folder.file("nodes.sqlite"), synchronous: .normal)
                }
                var request = BatchInsertRequest(
                    entityName: "Node", objects: [["amount": 10], ["amount": 20], ["amount": 30]])
                request.resultType = .objectIDs
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                ids = try context.execute(request).objectIDs ?? []
                for (child, parent) in zip(ids, ids.dropFirst()) {
                    try context.existingObject(with: child).setValue(.object(parent), forKey: "parent")
                }
                try context.save()
            }

            /// Sets the amount of nodes, and returns all of them in the order of insertion.
            func amounts(
                after expression: ConditionExpression, where condition: Condition? = nil
            ) throws -> [ManagedValue] {
                try ManagedObjectContext(coordinator: stack.coordinator).execute(
                    BatchUpdateRequest(
                        entityName: "Node", condition: condition,
                        propertiesToUpdate: ["amount": expression, "label": "new"]))
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                return try ids.map { try context.existingObject(with: $0).value(forKey: "amount") }
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `an aggregate sees no row that the update has written`(kind: StoreKind) throws {
            #expect(try Chain(kind).amounts(after: .keyPath("children.@sum.amount")) == [0, 10, 20])
        }

        @Test(arguments: StoreKind.allCases)
        func `a subquery sees no row that the update has written`(kind: StoreKind) throws {
            let greater = try ConditionExpression(format: "SUBQUERY(children, $c, $c.amount > 5).@count")
            #expect(try Chain(kind).amounts(after: greater, where: .compare("amount", .greaterThan, 10)) == [10, 1, 1])
        }

        @Test(arguments: StoreKind.allCases)
        func `a value comes over a to-one`(kind: StoreKind) throws {
            #expect(try Chain(kind).amounts(after: .keyPath("parent.amount") + 1) == [21, 31, nil])
        }

        @Test(arguments: StoreKind.allCases)
        func `a value comes from an element of an ordered to-many`(kind: StoreKind) throws {
            let first = try ConditionExpression(format: "children[FIRST].amount")
            #expect(try Chain(kind).amounts(after: first) == [nil, 10, 20])
        }

        @Test func `all values are computed before the first row is written`() throws {
            let chain = try Chain(.file)
            let statements = try chain.recorder.statements {
                _ = try chain.amounts(
                    after: .keyPath("children.@max.amount"), where: .compare("amount", .greaterThan, 10))
            }
            #expect(
                statements.filter { $0.contains("UPDATE ZNODE") } == [
                    """
                    WITH computed(k, v0) AS MATERIALIZED (SELECT t0.Z_PK, \
                    (SELECT MAX(t1.ZAMOUNT) FROM ZNODE t1 WHERE t1.ZPARENT = t0.Z_PK) \
                    FROM ZNODE t0 WHERE t0.ZAMOUNT > ?) \
                    UPDATE ZNODE AS t0 SET Z_OPT = Z_OPT + 1, ZAMOUNT = computed.v0, ZLABEL = ? \
                    FROM computed WHERE Z_PK = computed.k RETURNING Z_PK, Z_ENT, Z_OPT, ZAMOUNT
                    """
                ])
        }
    }
#endif
