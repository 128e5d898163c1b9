#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Rows whose objects are valid or not because of other objects.
    @Suite struct `Validity of objects beside others` {
        @Entity("ValidityProduct", userInfo: ["relatedByAttribute": "id"]) final class Product: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            var stock: Int = 0
        }

        @Entity("ValidityLine", userInfo: ["relatedByAttribute": "id"]) final class Line: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            var quantity: Int = 0
            var product: Product?
            @Attribute(.codable) var seal: Seal?

            private func requireStock() throws {
                if quantity > product?.stock ?? 0 { throw OutOfStock() }
            }

            override func validateForInsert() throws {
                try super.validateForInsert()
                try requireStock()
            }

            override func validateForUpdate() throws {
                try super.validateForUpdate()
                try requireStock()
            }

            override func willSave() {
                super.willSave()
                if quantity == 7 { seal = Seal() }
            }
        }

        /// A value that has no JSON.
        struct Seal: Codable, Equatable {
            func encode(to encoder: any Encoder) throws { throw OutOfStock() }
        }

        private struct OutOfStock: Error {}

        private static func line(_ id: Int, _ quantity: Int, stock: Int? = nil) -> [String: any Sendable] {
            var product = ["id": 1]
            product["stock"] = stock
            return ["id": id, "quantity": quantity, "product": product]
        }

        private func lines(
            of rows: [[String: any Sendable]], inUpdate: Bool = false
        ) async throws -> (report: ImportReport, lines: [String]) {
            let stack = try Stack(Line.self, Product.self)
            try stack.addInMemoryStore()
            let report =
                inUpdate
                ? try await Context(stack: stack).update { update in
                    let report = try update.import(Line.self, from: rows)
                    try update.commit()
                    return report
                } : try await stack.importRows(Line.self, from: rows)
            let lines = try await Context(stack: stack).read { reader in
                try reader.fetchAll(Line.self, orderBy: .Ascending("id")).map {
                    "\($0.id): \($0.quantity) of \($0.product?.stock ?? 0)"
                }
            }
            return (report, lines)
        }

        @Test(arguments: [false, true])
        func `a row that makes an earlier row's object invalid fails, and not the earlier one`(inUpdate: Bool)
            async throws
        {
            let (report, lines) = try await lines(
                of: [
                    Self.line(1, 5, stock: 10), Self.line(2, 1, stock: 3), Self.line(3, 2), Self.line(4, 1, stock: 4),
                    Self.line(5, 1, stock: 6),
                ], inUpdate: inUpdate)
            // The last row makes up for those that leave too little.
            #expect(report.failed == 0 && lines.last == "5: 1 of 6", "\(report.failures)")
            let (other, others) = try await self.lines(
                of: [
                    Self.line(1, 5, stock: 10), Self.line(2, 1, stock: 3), Self.line(3, 2), Self.line(4, 1, stock: 4),
                ], inUpdate: inUpdate)
            #expect(other.failures.map(\.place.index) == [1, 3])
            #expect(other.failures.allSatisfy { $0.error is OutOfStock })
            #expect(others == ["1: 5 of 10", "3: 2 of 10"])
        }

        @Test func `a row fails whose willSave sets what cannot be stored`() async throws {
            let (report, lines) = try await lines(
                of: [Self.line(1, 5, stock: 10), Self.line(2, 7), Self.line(3, 2)])
            #expect(report.failures.map(\.place.index) == [1], "\(report.failures)")
            #expect(lines == ["1: 5 of 10", "3: 2 of 10"])
        }
    }
#endif
