import DataMonk
import Foundation

/// Where the engine plays: a stack with one empty store, and contexts on its coordinator.
final class GraphStage {
    let stack: Stack
    private(set) var contexts: [ManagedObjectContext] = []
    private let folder: TemporaryFolder?
    /// Errors that reached nobody else.
    let errors = Locked<[any Error]>([])

    init(_ kind: StoreKind, policies: [MergePolicy]) throws {
        stack = Stack(model: try GraphModel.model.get())
        switch kind {
        case .memory:
            folder = nil
            try stack.addInMemoryStore()
        case .file:
            let folder = try TemporaryFolder()
            self.folder = folder
            try stack.addDatabaseStore(fileURL: folder.file("graph.sqlite"), synchronous: .normal)
        }
        let errors = errors
        stack.onError { error in errors.withLock { $0.append(error) } }
        contexts = policies.map { ManagedObjectContext(coordinator: stack.coordinator, mergePolicy: $0) }
    }

    deinit {
        contexts = []
        // Reason for try?: what cannot be closed is the system's to clean up.
        try? stack.close()
    }

    /// The object with a number; reads, so the context advances.
    func object(_ number: Int, _ kind: String, in context: ManagedObjectContext) throws -> ManagedObject {
        let request = FetchRequest(
            entityName: kind, condition: .compare("number", .equal, .int(Int64(number))))
        let objects = try context.fetch(request)
        guard objects.count == 1 else { throw Difference("\(number) was fetched \(objects.count) times") }
        return objects[0]
    }

    /// What the store holds, through a context that knows nothing.
    func readAnew(_ schema: GraphSchema) throws -> GraphReading {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let reading = try GraphReading(context, schema)
        try context.checkInvariants()
        context.endTurn()
        return reading
    }

    func checkInvariants() throws {
        for context in contexts { try context.checkInvariants() }
        try stack.coordinator.checkInvariants()
        if let error = errors.withLock({ $0.first }) { throw error }
    }
}
