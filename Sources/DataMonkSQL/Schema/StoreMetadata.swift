package import DataMonkCore
package import Foundation

/// **Value.** A store's metadata: the property list in its `Z_METADATA`.
///
/// Keys that are not ours, including an application's, are kept as they are. The store's UUID is not in the list but in a
/// column of its own.
package struct StoreMetadata: Sendable, Hashable {
    /// The keys that Core Data writes.
    private enum Key {
        static let storeType = "NSStoreType"
        static let versionHashes = "NSStoreModelVersionHashes"
        static let versionHashesVersion = "NSStoreModelVersionHashesVersion"
        static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
        static let frameworkVersion = "NSPersistenceFrameworkVersion"
        static let autoVacuumLevel = "_NSAutoVacuumLevel"
        static let digest = "NSStoreModelVersionHashesDigest"
        static let checksum = "NSStoreModelVersionChecksumKey"
    }

    /// The version of Apple's framework with the same schema as ours.
    private static let equivalentFrameworkVersion: Int64 = 1344

    /// All values, known and unknown.
    package var values: [String: PropertyListValue]

    /// Creates metadata from the values in a store.
    package init(values: [String: PropertyListValue]) { self.values = values }

    /// Creates the metadata of a new store in a file.
    package init(schema: StoreSchema) {
        self.init(storeType: "SQLite", members: schema.members, of: schema.model)
        values[Key.autoVacuumLevel] = .string("2")
    }

    /// Creates the metadata of a new store that contains some entities of a model.
    package init(storeType: String, members: [Entity], of model: ManagedObjectModel) {
        values = [
            Key.storeType: .string(storeType), Key.frameworkVersion: .integer(Self.equivalentFrameworkVersion),
        ]
        adopt(members, of: model)
    }

    /// Sets the hashes and identifiers of a model.
    package mutating func adopt(_ members: [Entity], of model: ManagedObjectModel) {
        let hashes = VersionHashes(of: members, in: model)
        values[Key.versionHashes] = .dictionary(hashes.byEntityName.mapValues(PropertyListValue.data))
        values[Key.versionHashesVersion] = .integer(Int64(VersionHashes.version))
        values[Key.versionIdentifiers] = .array(model.versionIdentifiers.map(PropertyListValue.string))
        values[Key.digest] = .string(hashes.digest)
        values[Key.checksum] = .string(hashes.checksum)
    }

    /// Sets the version of the schema that the store was migrated to, and records the version before it.
    ///
    /// - Parameter isForward: Indicates whether the application says that the version is a later one.
    package mutating func migrate(to schema: StoreSchema, isForward: Bool = false) {
        var line = versionLine
        line.migrate(from: version, to: Self.version(of: schema), isForward: isForward)
        adopt(schema.members, of: schema.model)
        values[StoreMetadataKey.versions] = .array(line.versions.map(PropertyListValue.string))
    }

    /// Returns `true` if the store was migrated from a schema's version to its own, directly or through others.
    package func isLater(than schema: StoreSchema) -> Bool {
        versionLine.isVersion(version, laterThan: Self.version(of: schema))
    }

    private var versionLine: VersionLine {
        VersionLine(values[StoreMetadataKey.versions]?.arrayValue?.compactMap(\.stringValue) ?? [])
    }

    private var version: String { VersionHashes(byEntityName: versionHashes).checksum }

    private static func version(of schema: StoreSchema) -> String {
        checksum(ofMembers: schema.members, of: schema.model)
    }

    /// Returns the checksum of the version hashes of some entities of a model.
    package static func checksum(ofMembers members: [Entity], of model: ManagedObjectModel) -> String {
        VersionHashes(of: members, in: model).checksum
    }

    /// The hash of each entity.
    package var versionHashes: [String: Data] {
        values[Key.versionHashes]?.dictionaryValue?.compactMapValues(\.dataValue) ?? [:]
    }

    /// The version of the hash algorithm. Hashes of a version above `knownHashesVersion` cannot be compared.
    package var versionHashesVersion: Int {
        Int(values[Key.versionHashesVersion]?.integerValue ?? Int64(VersionHashes.version))
    }

    /// The names that the model's author gave the version.
    package var versionIdentifiers: [String] {
        values[Key.versionIdentifiers]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The metadata with the digest and the checksum of their own version hashes, where they have one at all.
    package var withCorrectDigests: StoreMetadata {
        let hashes = VersionHashes(byEntityName: versionHashes)
        var metadata = self
        if values[Key.digest] != nil { metadata.values[Key.digest] = .string(hashes.digest) }
        if values[Key.checksum] != nil { metadata.values[Key.checksum] = .string(hashes.checksum) }
        return metadata
    }

    /// Returns the metadata for a new store with the contents of this one: the same, but for what describes the version.
    package func forNewStore(_ schema: StoreSchema) -> StoreMetadata {
        if mismatch(with: schema) == nil { return withCorrectDigests }
        var metadata = self
        metadata.adopt(schema.members, of: schema.model)
        return metadata
    }

    /// Returns the reason why a store with this metadata cannot be opened with a schema, or `nil` if there is none.
    package func mismatch(with schema: StoreSchema) -> Mismatch? {
        mismatch(withMembers: schema.members, of: schema.model)
    }

    /// Returns the reason why a store with this metadata cannot be opened with some entities of a model, or `nil` if there
    /// is none.
    package func mismatch(withMembers members: [Entity], of model: ManagedObjectModel) -> Mismatch? {
        if versionHashesVersion > VersionHashes.version { return .unknownHashes(version: versionHashesVersion) }
        let expected = VersionHashes(of: members, in: model).byEntityName
        let stored = versionHashes
        if expected == stored { return nil }
        return .entities(
            added: expected.keys.filter { stored[$0] == nil }.sorted(by: String.precedesInBytes),
            removed: stored.keys.filter { expected[$0] == nil }.sorted(by: String.precedesInBytes),
            changed: expected.keys.filter { stored[$0] != nil && stored[$0] != expected[$0] }
                .sorted(by: String.precedesInBytes))
    }

    /// **Value.** The reason why a store and a model do not match.
    package enum Mismatch: Sendable, Hashable {
        /// The hashes come from a later version of Core Data.
        case unknownHashes(version: Int)
        /// Entities that only the model has, that only the store has, and that differ.
        case entities(added: [String], removed: [String], changed: [String])

        /// The reason as a part of a sentence.
        package var difference: String {
            switch self {
            case .unknownHashes(let version):
                return "its version hashes have version \(version), which this library does not support"
            case .entities(let added, let removed, let changed):
                let parts = [("new", added), ("missing", removed), ("changed", changed)].filter { !$0.1.isEmpty }
                return parts.map { "\($0.0) in the model: \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
            }
        }
    }
}

extension StoreSchema {
    /// Returns `true` if a store of one schema is a store of the other.
    package func isSameVersion(as other: StoreSchema) -> Bool {
        VersionHashes(of: members, in: model).byEntityName
            == VersionHashes(of: other.members, in: other.model).byEntityName
    }
}

extension StoreMetadata {
    /// Reads the bytes of `Z_PLIST`.
    ///
    /// - Throws: `PropertyListError` if the bytes are not a binary property list with a dictionary at the top.
    package init(propertyList data: Data) throws {
        guard let values = try BinaryPropertyListReader.read(data).dictionaryValue else {
            throw PropertyListError(.unknownType)
        }
        self.init(values: values)
    }

    /// Returns the bytes for `Z_PLIST`.
    ///
    /// - Throws: `PropertyListError` if the application's own values are too large.
    package func propertyList() throws -> Data { try BinaryPropertyListWriter.write(.dictionary(values)) }
}
