import DataMonk
import Foundation

/// A kind of file that is loaded and saved as a whole, and what tests do with one.
enum AtomicKind: CaseIterable {
    case xml
    case binary

    func description(
        _ url: URL, configuration: String? = nil, readOnly: Bool = false
    ) -> StoreDescription {
        switch self {
        case .xml: .xml(fileURL: url, configuration: configuration, readOnly: readOnly)
        case .binary: .binary(fileURL: url, configuration: configuration, readOnly: readOnly)
        }
    }

    static func model(_ attribute: String = "text") throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Note") {
                AttributeDescription(attribute, .string)
                RelationshipDescription("links", to: "Note", inverse: "links", isToMany: true)
            }
        }
    }

    func open(_ url: URL, readOnly: Bool = false, attribute: String = "text") async throws -> Stack {
        let stack = Stack(model: try Self.model(attribute))
        try await stack.addStore(description(url, readOnly: readOnly))
        return stack
    }

    static func add(_ text: String, to stack: Stack) throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert(stack.model.entities[0]).setValue(.string(text), forKey: "text")
        try context.save()
    }

    static func texts(_ stack: Stack) throws -> [ManagedValue] {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        return try context.fetch(FetchRequest(entityName: "Note")).map { try $0.value(forKey: "text") }
    }
}
