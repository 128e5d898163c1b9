import DataMonk
import DataMonkCore
import DataMonkSQLite
import DataMonkTesting
import Foundation

/// Where the engine plays: a coordinator with one empty store that can fail, and the contexts of a run.
final class GraphStage {
    let coordinator: PersistentStoreCoordinator
    let store: FaultInjectingStore
    private(set) var contexts: [ManagedObjectContext] = []
    private let folder: TemporaryFolder?
    /// Errors that reached nobody else.
    let errors = Locked<[any Error]>([])

    init(_ setup: GraphSetup) throws {
        coordinator = PersistentStoreCoordinator(model: try GraphModel.model.get())
        switch setup.kind {
        case .memory:
            folder = nil
            store = FaultInjectingStore(InMemoryStore(directory: coordinator.directory, index: 0))
        case .file:
            let folder = try TemporaryFolder()
            self.folder = folder
            store = FaultInjectingStore(
                try SQLiteStore.open(
                    folder.file("graph.sqlite"), configuration: nil, directory: coordinator.directory, index: 0,
                    durability: .normal))
        }
        try coordinator.add(store)
        let errors = errors
        coordinator.setErrorHandler { error in errors.withLock { $0.append(error) } }
        for policy in setup.policies.dropLast() {
            contexts.append(ManagedObjectContext(coordinator: coordinator, mergePolicy: policy))
        }
        contexts.append(
            ManagedObjectContext(
                parent: contexts[0], mergePolicy: setup.policies[GraphSetup.child],
                automaticallyMergesChangesFromParent: setup.childFollows))
        for index in setup.undoing { contexts[index].undoManager = ContextUndoManager(levelsOfUndo: 0) }
    }

    deinit {
        contexts = []
        // Reason for try?: what cannot be closed is the system's to clean up.
        try? coordinator.close()
    }

    func entity(_ name: String) throws -> Entity {
        let model: ManagedObjectModel = coordinator.model
        guard let entity = model.entitiesByName[name] else { throw Difference("no entity \(name)") }
        return entity
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
        let context = ManagedObjectContext(coordinator: coordinator)
        let reading = try GraphReading(context, schema)
        try context.checkInvariants()
        context.endTurn()
        return reading
    }

    func checkInvariants() throws {
        for context in contexts { try context.checkInvariants() }
        try coordinator.checkInvariants()
        if let error = errors.withLock({ $0.first }) { throw error }
    }
}
