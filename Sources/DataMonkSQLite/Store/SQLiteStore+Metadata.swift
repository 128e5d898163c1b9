package import DataMonkCore
import DataMonkSQL
package import Foundation

extension SQLiteStore {
    package func metadata() throws -> [String: ManagedValue] {
        let reader = try openReader()
        defer { reader.end() }
        guard let reader = reader as? SQLiteReader else { return [:] }
        return try StoreError.translatingFailures(of: fileURL) {
            try reader.connection.applicationMetadata(fileURL)
        }
    }

    /// Reads the metadata of a store that need not be open and whose model need not be known.
    package static func metadata(ofStoreAt url: URL) throws -> [String: ManagedValue] {
        try withConnection(to: url, access: .readOnly) { try $0.applicationMetadata(url) }
    }

    /// Replaces the application's metadata of a store at once.
    package static func setMetadata(_ metadata: [String: ManagedValue], ofStoreAt url: URL) throws {
        try withConnection(to: url, access: .readWrite) { connection in
            try connection.transaction(.immediate) {
                try metadata.requireStorable(over: connection.applicationMetadata(url), url)
                try connection.replaceMetadata(with: metadata, at: url)
            }
        }
    }

    private static func withConnection<Result>(
        to url: URL, access: SQLiteOptions.Access, body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        try StoreError.translatingFailures(of: url) {
            let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: access))
            do {
                try requireStore(in: connection.schemaObjects(), at: url)
                let result = try body(connection)
                try connection.close()
                return result
            } catch {
                // Reason for try?: the first error is the one to throw.
                try? connection.close()
                throw error
            }
        }
    }
}

extension SQLiteTransaction {
    func setMetadata(_ metadata: [String: ManagedValue]) throws {
        try StoreError.translatingFailures(of: store.fileURL) {
            try connection.replaceMetadata(with: metadata, at: store.fileURL)
        }
    }
}

extension SQLiteConnection {
    func applicationMetadata(_ url: URL) throws -> [String: ManagedValue] {
        let (identifier, metadata) = try SQLiteStore.readMetadata(from: self, at: url)
        return metadata.managedValues.merging(["NSStoreUUID": .string(identifier.uuidString)]) { _, own in own }
    }

    fileprivate func replaceMetadata(with metadata: [String: ManagedValue], at url: URL) throws {
        var (_, stored) = try SQLiteStore.readMetadata(from: self, at: url)
        stored.replaceApplicationValues(metadata)
        try run("UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1", [.blob(stored.propertyList())])
    }
}
