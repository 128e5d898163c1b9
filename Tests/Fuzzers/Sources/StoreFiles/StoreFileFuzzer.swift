import DataMonk
import Foundation
import FuzzStage

private let folder = FuzzFolder("stores")

@main enum StoreFileFuzzer {
    static func main() throws {
        guard let path = ProcessInfo.processInfo.environment["FUZZ_SEED"] else { FuzzDriver.run(fuzzStoreFile) }
        // Makes the seed: a store of the model.
        let stack = Stack(model: try Notebook.model.get())
        try stack.addDatabaseStore(fileURL: URL(filePath: path), tracksHistory: true)
        try Notebook.fill(stack)
        try stack.close()
    }
}

/// A store is refused, or is read, changed and examined.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStoreFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzInput(bytes, count).run { input in
        let file = try folder.write(input.data, to: "Notes.sqlite")
        _ = try? Stack.metadata(ofStoreAt: file)  // What is refused here may be opened all the same.
        _ = try? ManagedObjectModel.load(fromStoreAt: file)  // The same.
        _ = try? Stack.examine(storeAt: file)  // The same.
        let stack = Stack(model: try Notebook.model.get())
        stack.onError { _ in }
        try stack.addDatabaseStore(fileURL: file, synchronous: .normal, busyTimeout: .zero)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try read(context)
        try change(context)
        context.reset()
        try read(context)
        context.endTurn()
        _ = try? stack.history()  // It may be damaged alone.
        try stack.close()
        _ = try Stack.salvage(storeAt: file, to: folder.url.appending(path: "Salvaged.sqlite"))
    }
}

private func read(_ context: ManagedObjectContext) throws {
    for name in ["Note", "Label"] {
        for object in try context.fetch(FetchRequest(entityName: name)).prefix(100) {
            for attribute in object.entity.attributes {
                _ = try? object.value(forKey: attribute.name)  // A value may be damaged alone.
            }
            for relationship in object.entity.relationships {
                _ = try? object.objects(forKey: relationship.name)  // The same.
            }
            _ = object.transformedTags
        }
    }
    context.disregardFailedReads()
    var request = FetchRequest(entityName: "Note")
    request.resultType = .dictionaries
    request.propertiesToFetch = ["count", "share", "price"].map { .init(.sum, of: $0, alias: $0) }
    _ = try context.values(request)
}

private func change(_ context: ManagedObjectContext) throws {
    let notes = try context.fetch(FetchRequest(entityName: "Note"))
    if let first = notes.first {
        try first.setValue("changed", forKey: "text")
        if let last = notes.last, last !== first {
            try last.setValue(.object(first.anyObjectID), forKey: "parent")
            context.delete(notes[notes.count / 2])
        }
    }
    let label = try context.insert(try labels())
    try label.setObjects(notes.prefix(2).filter { !$0.isDeleted }, forKey: "notes")
    try context.save()
}

private func labels() throws -> Entity {
    guard let entity = try Notebook.model.get().entitiesByName["Label"] else {
        throw FuzzFailure(message: "The model has no labels.")
    }
    return entity
}

extension ManagedObject {
    /// The decoded value of a transformable attribute, if it has one that can be decoded.
    fileprivate var transformedTags: ManagedValue? {
        if entity.propertiesByName["tags"] == nil { return nil }
        return try? transformedValue(forKey: "tags")  // It may be damaged alone.
    }
}
