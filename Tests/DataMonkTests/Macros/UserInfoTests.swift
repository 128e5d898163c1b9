#if Macros
    import DataMonk
    import Testing

    /// A class with notes on everything.
    private enum Noted {
        @Entity(userInfo: ["relatedByAttribute": "id"]) final class Order: ManagedObject {
            @Attribute(.unique, userInfo: ["mappedKeyName": "order.id"]) var id: Int = 0
            @Relationship(deleteRule: .cascade, inverse: \Line.order, userInfo: ["note": "lines"])
            var lines: [Line]
            @Relationship(inverse: "next", userInfo: ["note": "next"]) var next: Order?
        }

        @Entity final class Line: ManagedObject {
            var order: Order?
        }
    }

    @Suite struct `User info of classes` {
        @Test func `is in the model, and in a store's own model`() throws {
            let folder = try TemporaryFolder()
            let stack = try Stack(Noted.Order.self)
            try stack.addDatabaseStore(fileURL: folder.file("a.sqlite"))
            for model in [stack.model, try .load(fromStoreAt: folder.file("a.sqlite"))] {
                let order = try #require(model.entitiesByName["Order"])
                #expect(order.description.userInfo == ["relatedByAttribute": "id"])
                #expect(order.attribute(named: "id")?.description.userInfo == ["mappedKeyName": "order.id"])
                #expect(order.relationship(named: "lines")?.description.userInfo == ["note": "lines"])
                #expect(order.relationship(named: "next")?.description.userInfo == ["note": "next"])
                #expect(model.entitiesByName["Line"]?.description.userInfo.isEmpty == true)
            }
        }

        @Test func `does not change the version`() throws {
            let plain = try ManagedObjectModel(
                entities: [EntityDescription("A", properties: [.attribute(AttributeDescription("n", .string))])])
            var noted = AttributeDescription("n", .string)
            noted.userInfo = ["a": "b"]
            let other = try ManagedObjectModel(
                entities: [EntityDescription("A", properties: [.attribute(noted)], userInfo: ["c": "d"])])
            #expect(plain.entityVersionHashesByName == other.entityVersionHashesByName)
        }
    }
#endif
