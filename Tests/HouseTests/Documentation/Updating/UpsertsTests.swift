#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    @Entity final class Product: ManagedObject {
        @Attribute(.unique) var code: String = ""
        var name: String = ""
        var stock: Int = 0
    }

    @Suite struct UpsertsTests {
        private let stack: Stack
        private let id: ObjectID<Product>

        init() async throws {
            stack = try .inMemory(Product.self)
            id = try await Context(stack: stack).update { update in
                let product = try update.create(Product.self)
                (product.code, product.name, product.stock) = ("A1", "Ink", 7)
                try update.commit()
                return product.objectID
            }
        }

        @Test func `an upsert by the constraint`() async throws {
            let catalogue = [(code: "A1", name: "Black ink"), (code: "B2", name: "Quill")]
            let importer = try Context(stack: stack, mergePolicy: .mergeByPropertyObjectTrump)
            try await importer.update { update in
                for line in catalogue {
                    let product = try update.create(Product.self)
                    product.code = line.code
                    product.name = line.name  // stock is not set: the stored one stays
                }
                try update.commit()
            }
            let id = id
            try await importer.read { reader in
                let ink = try reader.fetch(Product.self, %"code" == "A1")
                #expect(ink.name == "Black ink" && ink.stock == 7 && ink.objectID == id)
                #expect(try reader.count(Product.self) == 2)
                #expect(try reader.fetchAll(Product.self, %"code"%.in(["A1", "C3"])) == [ink])
            }
        }

        @Test func `a conflict is told, and the update goes on`() async throws {
            let context = try Context(stack: stack)
            let id = id
            try await context.update { update in
                try update.use(id).stock = 1
                // Another update, which commits first.
                try await Context(stack: context.stack, updateOrder: .default).update { other in
                    try other.use(id).stock = 2
                    try other.commit()
                }
                do {
                    try update.commit()
                } catch let error as SaveError where error.code == .mergeConflict {
                    for conflict in error.conflicts { print(conflict.objectID, conflict.changedValues.keys.sorted()) }
                    update.rollback()  // or refresh the objects, and commit again
                }
                #expect(try update.use(id).stock == 2)
            }
            let error = await #expect(throws: SaveError.self) {
                try await context.update { update in
                    try update.create(Product.self).code = "A1"
                    try update.commit()
                }
            }
            #expect(error?.code == .constraintConflict)
        }
    }
#endif
