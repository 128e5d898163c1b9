public import Foundation

/// **Value.** How far a store's migration has come.
///
///     try stack.addDatabaseStore(fileURL: url, onMigration: { progress in
///         print("\(progress.entityName ?? "the store"): \(Int(progress.fractionCompleted * 100)) %")
///     })
public struct MigrationProgress: Sendable, Hashable {
    /// The store's file.
    public let storeURL: URL
    /// The entity whose objects come next, nil where it is none.
    public let entityName: String?
    /// How much is done, in rows.
    public let completedUnitCount: Int64
    /// How much there is to do, in rows.
    public let totalUnitCount: Int64

    package init(storeURL: URL, entityName: String?, completedUnitCount: Int64, totalUnitCount: Int64) {
        self.storeURL = storeURL
        self.entityName = entityName
        self.completedUnitCount = completedUnitCount
        self.totalUnitCount = totalUnitCount
    }

    /// How much is done, from 0 to 1.
    public var fractionCompleted: Double {
        totalUnitCount == 0 ? 1 : Double(completedUnitCount) / Double(totalUnitCount)
    }
}
