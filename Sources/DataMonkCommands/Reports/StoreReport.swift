import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
package import Foundation

/// **Value.** The report on a store as a whole by `inspect`.
package struct StoreReport: Sendable {
    /// The inspected store.
    package var url: URL
    /// The size of the database and its log, in bytes.
    package var byteCount: Int64
    package var identifier: UUID
    /// The version of Core Data that last wrote the store.
    package var frameworkVersion: Int?
    /// The names that the model's author gave its version.
    package var versionIdentifiers: [String]
    /// The hash of each entity.
    package var versionHashes: [String: Data]
    /// The application's keys in the metadata.
    package var applicationKeys: [String]
    /// The columns with a full-text index, which Core Data does not know, as `table.column`.
    package var textIndexes: [String]
    /// The derived attributes with a condition, which Core Data has no model for, as `entity.attribute: derivation`.
    package var filteredAttributes: [String] = []
    /// The model used to read objects.
    package var model = Model()
    /// The comparison of the store with the given model, if there is one.
    package var comparison: ModelComparison?
    /// The entities, in the order of their numbers.
    package var entities: [EntityReport] = []

    /// **Value.** The model used to read objects, and its source.
    package struct Model: Sendable {
        package enum Source: String, Sendable {
            case store, given
        }

        /// `nil` if objects cannot be read.
        package var source: Source?
        /// The reason why objects cannot be read.
        package var problem: String?
        /// The parts of the model inside the store that are not understood.
        package var omissions: [String] = []
    }

    init(url: URL, facts: StoreFacts) {
        self.url = url
        byteCount = ["", "-wal"].reduce(0) { sum, suffix in
            // Reason for try?: the log may not exist.
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
        }
        identifier = facts.identifier
        let metadata = facts.metadata
        frameworkVersion = metadata.values["NSPersistenceFrameworkVersion"]?.integerValue.map(Int.init)
        versionIdentifiers = metadata.versionIdentifiers
        versionHashes = metadata.versionHashes
        textIndexes = facts.textIndexes
        applicationKeys = metadata.values.keys.filter { !$0.hasPrefix("NS") && !$0.hasPrefix("_NS") }.sorted()
    }
}
