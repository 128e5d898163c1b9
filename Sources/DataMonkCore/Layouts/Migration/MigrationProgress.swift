public import Foundation

/// **Value.** The progress of a store's migration.
///
///     try stack.addDatabaseStore(fileURL: url, onMigration: { progress in
///         print("\(progress.entityName ?? "the store"): \(Int(progress.fractionCompleted * 100)) %")
///     })
public struct MigrationProgress: Sendable, Hashable {
    /// The store's file.
    public let storeURL: URL
    /// The entity whose objects are processed next; `nil` for a step without one.
    public let entityName: String?
    /// The amount of completed work, in rows.
    public let completedUnitCount: Int64
    /// The total amount of work, in rows.
    public let totalUnitCount: Int64

    package init(storeURL: URL, entityName: String?, completedUnitCount: Int64, totalUnitCount: Int64) {
        self.storeURL = storeURL
        self.entityName = entityName
        self.completedUnitCount = completedUnitCount
        self.totalUnitCount = totalUnitCount
    }

    /// Returns the progress of a whole migration, of which this is that of one stage. Each stage counts as much as any other.
    package func ofStage(_ place: Int, of count: Int) -> MigrationProgress {
        if count == 1 { return self }
        return MigrationProgress(
            storeURL: storeURL, entityName: entityName,
            completedUnitCount: Int64(place) * totalUnitCount + completedUnitCount,
            totalUnitCount: Int64(count) * totalUnitCount)
    }

    /// The fraction of completed work, from 0 to 1.
    public var fractionCompleted: Double {
        totalUnitCount == 0 ? 1 : Double(completedUnitCount) / Double(totalUnitCount)
    }
}
