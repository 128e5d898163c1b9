import DataMonk
import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

/// A store file in a folder of its own, written with one version of a model and opened with others.
struct MigrationStage {
    private let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
    }

    /// The names of what lies in the folder.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// What the store's file holds.
    var bytes: Data { get throws { try Data(contentsOf: url) } }

    /// The first column of the first row.
    func text(_ sql: String) throws -> String? {
        let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readOnly))
        defer { #expect(throws: Never.self) { try connection.close() } }
        return try connection.text(sql)
    }

    /// The property list in the store.
    func metadata() throws -> [String: Any] {
        let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readOnly))
        let list = try connection.withStatement("SELECT Z_PLIST FROM Z_METADATA") { statement in
            try statement.step() ? statement.data(at: 0) : nil
        }
        try connection.close()
        return try PropertyListSerialization.propertyList(from: list ?? Data(), format: nil) as? [String: Any] ?? [:]
    }

    /// Puts the store back to what its file held.
    func restore(_ bytes: Data) throws {
        for name in try files { try FileManager.default.removeItem(at: folder.file(name)) }
        try bytes.write(to: url)
    }

    /// Opens the store, lets a block write to it, and closes it.
    func write(
        _ model: ManagedObjectModel, configuration: String? = nil, _ body: (ManagedObjectContext) throws -> Void
    ) throws {
        let stack = Stack(model: model)
        try stack.addDatabaseStore(
            fileURL: url, configuration: configuration, discarding: .laterVersions, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try body(context)
        try context.save()
        context.endTurn()
        try stack.close()
    }

    /// What the store holds, opened with a model: migrated to it if it is of another version.
    ///
    /// - Parameter discarding: what may go; many tests go back to a version from before.
    func contents(
        _ model: ManagedObjectModel, configuration: String? = nil, discarding: DiscardableData = .laterVersions
    ) throws -> GraphDump {
        let stack = Stack(model: model)
        try stack.addDatabaseStore(
            fileURL: url, configuration: configuration, discarding: discarding, synchronous: .normal)
        defer { #expect(throws: Never.self) { try stack.close() } }
        return try GraphDump(stack)
    }

    /// Migrates to a model; the schema is that of a new store then.
    func migrate(
        to model: ManagedObjectModel, configuration: String? = nil, discarding: DiscardableData = .laterVersions,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> GraphDump {
        let contents = try contents(model, configuration: configuration, discarding: discarding)
        let fresh = try MigrationStage()
        _ = try fresh.contents(model, configuration: configuration)
        let (found, expected) = (try StoreShape(url), try StoreShape(fresh.url))
        #expect(found == expected, "\(found.differences(from: expected))", sourceLocation: sourceLocation)
        return contents
    }

    /// Why the store cannot be migrated to a model; its file is byte for byte as it was.
    func refusal(
        _ model: ManagedObjectModel, discarding: DiscardableData = .laterVersions,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MigrationError {
        let before = try bytes
        let stack = Stack(model: model)
        let error = try #require(
            throws: MigrationError.self, sourceLocation: sourceLocation,
            performing: { try stack.addDatabaseStore(fileURL: url, discarding: discarding, synchronous: .normal) })
        #expect(try bytes == before, sourceLocation: sourceLocation)
        #expect(error.storeURL == url, sourceLocation: sourceLocation)
        return error
    }
}

extension ManagedObjectContext {
    /// Inserts an object with values.
    @discardableResult
    func insert(_ name: String, _ values: [String: ManagedValue] = [:]) throws -> ManagedObject {
        let model = coordinator.model
        let object = try insert(#require(model.entitiesByName[name]))
        for (key, value) in values { try object.setValue(value, forKey: key) }
        return object
    }
}

extension MigrationStage {
    /// Opens the store with one stage, from its present version, and closes it.
    ///
    /// - Returns: What the stage was reported to have discarded.
    @discardableResult
    func open(
        _ model: ManagedObjectModel, mapping: [EntityMapping], didMigrate: DataMonkCore.MigrationStage.Code? = nil,
        discarding: DiscardableData = []
    ) throws -> [MigrationError.Problem] {
        let stack = Stack(model: model)
        let reported = Locked<[MigrationError.Problem]>([])
        stack.onError { error in reported.withLock { $0 += (error as? MigrationError)?.problems ?? [] } }
        let stages = StagedMigration(
            from: try ManagedObjectModel.load(fromStoreAt: url),
            [.custom(to: model, mapping: mapping, didMigrate: didMigrate)])
        try stack.addDatabaseStore(fileURL: url, stages: stages, discarding: discarding, synchronous: .normal)
        try stack.close()
        return reported.withLock { $0 }
    }

    /// Opens the store with stages, and closes it.
    func open(_ model: ManagedObjectModel, stages: StagedMigration, discarding: DiscardableData = []) throws {
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: url, stages: stages, discarding: discarding, synchronous: .normal)
        try stack.close()
    }
}
