import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
package import Foundation

/// **Value.** What `inspect` says of a store as a whole.
package struct StoreReport: Sendable {
    /// The store that was looked at.
    package var url: URL
    /// How many bytes the database and its log have.
    package var byteCount: Int64
    package var identifier: UUID
    /// The version of Core Data that wrote it last.
    package var frameworkVersion: Int?
    /// What the author of the model calls its version.
    package var versionIdentifiers: [String]
    /// The hash of each entity.
    package var versionHashes: [String: Data]
    /// The keys of the metadata that are the application's.
    package var applicationKeys: [String]
    /// The model that objects are read with.
    package var model = Model()
    /// How the store and the given model go together, if one was given.
    package var comparison: ModelComparison?
    /// The entities in the order of their numbers.
    package var entities: [EntityReport] = []

    /// **Value.** Where the model came from.
    package struct Model: Sendable {
        package enum Source: String, Sendable {
            case store, given
        }

        /// nil when objects cannot be read.
        package var source: Source?
        /// Why not.
        package var problem: String?
        /// Parts of the model inside the store that were not understood.
        package var omissions: [String] = []
    }

    init(url: URL, facts: StoreFacts) {
        self.url = url
        byteCount = ["", "-wal"].reduce(0) { sum, suffix in
            // Reason for try?: the log need not be there.
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
        }
        identifier = facts.identifier
        let metadata = facts.metadata
        frameworkVersion = metadata.values["NSPersistenceFrameworkVersion"]?.integerValue.map(Int.init)
        versionIdentifiers = metadata.versionIdentifiers
        versionHashes = metadata.versionHashes
        applicationKeys = metadata.values.keys.filter { !$0.hasPrefix("NS") && !$0.hasPrefix("_NS") }.sorted()
    }
}
