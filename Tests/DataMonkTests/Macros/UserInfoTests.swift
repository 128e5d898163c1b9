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
            @Attribute(originalName: "amount", importedFrom: "total.amount") var total: Double = 0
            @Relationship(inverse: \Customer.orders, importedFrom: Noted.key, relatedBy: "id", userInfo: ["note": "a"])
            var customer: Customer?
        }

        static let key: String? = "client"

        @Entity final class Customer: ManagedObject {
            @Attribute(importedFrom: nil) var id: Int = 0
            var orders: Set<Order>
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
                #expect(order.attribute(named: "total")?.description.userInfo == ["mappedKeyName": "total.amount"])
                let customer = try #require(order.relationship(named: "customer"))
                #expect(
                    customer.description.userInfo == [
                        "note": "a", "mappedKeyName": "client", "relatedByAttribute": "id",
                    ])
                #expect(customer.destination.attribute(named: "id")?.description.userInfo.isEmpty == true)
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
