import DataMonk
import Foundation
import Testing

@Suite struct `A cascade` {
    @Test func `reaches objects that were changed before the one it starts from`() throws {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Node") {
                    AttributeDescription("name", .string)
                    RelationshipDescription("parent", to: "Node", inverse: "children")
                    RelationshipDescription("children", to: "Node", isToMany: true, deleteRule: .cascade)
                }
            })
        try stack.addInMemoryStore()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let entity = stack.model.entities[0]
        let nodes = try (0..<4).map { _ in try context.insert(entity) }
        for (child, parent) in zip(nodes.dropFirst(), nodes) {
            try child.setValue(.object(parent.anyObjectID), forKey: "parent")
        }
        try context.save()
        // From the leaf up, so that each parent stands behind its children among the changed objects.
        for (number, node) in nodes.reversed().enumerated() { try node.setValue(.string("\(number)"), forKey: "name") }
        context.delete(nodes[0])
        context.processPendingChanges()
        #expect(context.deletedObjects.count == 4)
        try context.save()
        #expect(try context.count(FetchRequest(entityName: "Node")) == 0)
    }
}
