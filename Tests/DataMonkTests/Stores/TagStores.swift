import DataMonk
import Foundation

/// **Confined.** A stack whose tags may lie in each of two files and a store in memory, and a context over it.
struct TagStores {
    let folder: TemporaryFolder
    let stack: Stack
    let context: ManagedObjectContext
    var first: URL { folder.file("first.sqlite") }
    var second: URL { folder.file("second.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        let model = try ManagedObjectModel(configurations: [
            "first": ["Tag", "Note"], "second": ["Tag"], "memory": ["Tag"],
        ]) {
            EntityDescription("Tag") { AttributeDescription("name", .string) }
            EntityDescription("Note") { AttributeDescription("name", .string) }
        }
        stack = Stack(model: model)
        for name in ["first", "second"] {
            try stack.addDatabaseStore(
                fileURL: folder.file("\(name).sqlite"), configuration: name, synchronous: .normal)
        }
        try stack.addInMemoryStore(configuration: "memory")
        context = ManagedObjectContext(coordinator: stack.coordinator)
    }
}
