#if Macros
    import DataMonk
    import Foundation

    /// A stack over entities whose values are bounded and derived.
    final class RegistryStage {
        let stack: Stack
        private let folder: TemporaryFolder
        private var contexts: [ManagedObjectContext] = []

        var fileURL: URL { folder.file("registry.sqlite") }

        init(_ kind: StoreKind, trace: (@Sendable (String) -> Void)? = nil) throws {
            folder = try TemporaryFolder()
            stack = Stack(model: try Self.model.get(), trace: trace)
            switch kind {
            case .memory: try stack.addInMemoryStore()
            case .file: try stack.addDatabaseStore(fileURL: fileURL, synchronous: .normal)
            }
        }

        private static let model = Result {
            try ManagedObjectModel {
                EntityDescription("Ticket") {
                    AttributeDescription("number", .integer16, isOptional: false, defaultValue: 0)
                    AttributeDescription("rank", .integer32, isOptional: false, defaultValue: 0, maximum: 10)
                    AttributeDescription("title", .string)
                    AttributeDescription("folded", .string, derivationExpression: "canonical:(title)")
                    RelationshipDescription("desk", to: "Desk", inverse: "tickets")
                }
                EntityDescription("Drawer") { RelationshipDescription("desk", to: "Desk", isOptional: false) }
                EntityDescription("Desk") {
                    AttributeDescription("ticketCount", .integer64, derivationExpression: "tickets.@count")
                    RelationshipDescription("tickets", to: "Ticket", isToMany: true)
                    RelationshipDescription("drawers", to: "Drawer", inverse: "desk", isToMany: true)
                }
            }
        }

        func entity(_ name: String) throws -> Entity {
            guard let entity = stack.model.entitiesByName[name] else { throw CocoaError(.keyValueValidation) }
            return entity
        }

        func newContext() -> ManagedObjectContext {
            for context in contexts { context.endTurn() }
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            contexts.append(context)
            return context
        }

        /// What a column holds, in the order of insertion.
        func values(_ key: String, _ name: String) throws -> [ManagedValue] {
            let context = newContext()
            let objects = try context.fetch(FetchRequest(entityName: name))
            return try objects.sorted { $0.anyObjectID.uri.lastPathComponent < $1.anyObjectID.uri.lastPathComponent }
                .map { try $0.value(forKey: key) }
        }
    }
#endif
