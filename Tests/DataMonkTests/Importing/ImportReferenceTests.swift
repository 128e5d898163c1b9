#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Objects with hooks, as relationships lead to them.
    @Suite struct `Hooks of related objects of an import` {
        @Entity("ReferencePage") final class Page: ManagedObject {
            @Attribute(.unique) var number: Int = 0
            @Relationship(inverse: \Writer.pages) var writer: Writer?
        }

        @Entity("ReferenceWriter") final class Writer: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            var name: String?
            var pages: Set<Page>
        }

        private let stack: Stack

        init() throws {
            stack = try Stack(Page.self, Writer.self)
            try stack.addInMemoryStore()
        }

        private func writers() async throws -> [String] {
            try await Context(stack: stack).read { reader in
                try reader.fetchAll(Page.self, orderBy: .Ascending("number")).map { page in
                    page.writer.map { "\($0.id) \($0.name ?? "-")" } ?? "none"
                }
            }
        }

        @Test func `are not asked about a mere key`() async throws {
            let report = try await stack.importRows(Page.self, from: [["number": 1, "writer": 7]])
            #expect(report.line == "1 0 0 0 0" && report.relatedInserted == 1, "\(report.failures)")
            #expect(try await writers() == ["7 -"])
        }

        @Test func `leave a stored object as it is, and it is linked`() async throws {
            try await stack.importRows(Writer.self, from: [["id": 7, "name": "Anna"]])
            let report = try await stack.importRows(
                Page.self,
                from: [["number": 1, "writer": ["id": 7, "age": 3]], ["number": 2, "writer": ["id": 8, "age": 3]]])
            #expect(report.line == "2 0 0 0 0" && report.relatedInserted == 0, "\(report.failures)")
            #expect(try await writers() == ["7 Anna", "none"])
        }
    }

    extension `Hooks of related objects of an import`.Writer: ImportHooks {
        /// Wants rows with a name alone.
        func shouldImport(_ values: [String: ManagedValue]) throws -> Bool { values["name"] != nil }
    }
#endif
