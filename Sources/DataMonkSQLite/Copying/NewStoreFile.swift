import DataMonkCore
import Foundation

/// **Confined.** A store file in the making. It appears at its place with one step, when it is complete and on disk.
///
/// ```
/// .Shop.sqlite.<UUID>             the database, until it is published
/// .Shop_SUPPORT/_EXTERNAL_DATA/   its external data; a file is complete before it gets its name
/// Shop.sqlite                     the database, from then on
/// ```
/// A process that ends before that leaves nothing at the place, and at most the first file, which can be deleted, and files of
/// external data that no row refers to.
final class NewStoreFile {
    /// The place of the store.
    let url: URL
    /// The place of the database until it is published.
    let partialURL: URL
    private let data: ExternalDataFolder
    /// A Boolean value indicating whether there was a folder for external data before.
    private let hadFolder: Bool
    /// The files of external data that are new.
    private var written: [UUID] = []

    /// Creates an empty database file beside a place where nothing is yet.
    ///
    /// - Throws: ``StoreError`` with the code `fileExists` if there is a file, the log of one, or a folder for external data
    ///   that another store has; others if the folder is missing or cannot be written to.
    init(at url: URL) throws {
        self.url = url
        let path = try DatabaseFile(url).path
        // A log would be taken for the new database's.
        for suffix in ["", "-wal", "-journal"] where Self.exists(path + suffix) {
            throw StoreError.targetExists(url, suffix)
        }
        partialURL = url.deletingLastPathComponent().appendingPathComponent(
            ".\(url.lastPathComponent).\(UUID().uuidString)")
        data = ExternalDataFolder(storeURL: url)
        hadFolder = Self.exists(ExternalDataFolder.url(of: url).path)
        if hadFolder, data.hasSibling { throw StoreError.sharedFolder(url) }
        try StoreError.translatingFailures(of: url) { try DatabaseFile(partialURL).createIfMissing() }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    // MARK: External data

    /// Copies a file of external data, unless it is there.
    ///
    /// - Parameter observer: Called with the number of bytes of each part.
    /// - Returns: `false` if there is no such file.
    func copy(
        _ identifier: UUID, from source: ExternalDataFolder, observer: (Int64) throws -> Void
    ) throws -> Bool {
        guard let file = try source.openFile(of: identifier) else { return false }
        defer { close(file) }
        if try data.holds(identifier) {
            try observer(Int64(data.size(ofFile: file, identifier.uuidString)))
        } else {
            try data.write(from: file, as: identifier, observer: observer)
            written.append(identifier)
        }
        return true
    }

    /// Writes a value to a file of external data.
    func write(_ value: UnsafeRawBufferPointer) throws -> UUID {
        let identifier = try data.write(value)
        written.append(identifier)
        return identifier
    }

    // MARK: The end

    /// Puts the database at its place. No connection to it is open any more.
    ///
    /// - Throws: ``StoreError`` with the code `fileExists` if a file has appeared there meanwhile.
    func publish() throws {
        try data.synchronize()
        try StoreError.translatingFailures(of: url) {
            let (partial, target) = (try DatabaseFile(partialURL), try DatabaseFile(url))
            // Unlike a rename, a link fails if a file has appeared in the meantime. Some volumes have no links.
            if link(partial.path, target.path) == 0 {
                unlink(partial.path)
            } else if errno == EEXIST || Self.exists(target.path) {
                throw StoreError.targetExists(url, "")
            } else if rename(partial.path, target.path) != 0 {
                throw SQLiteFailure.system(errno, doing: "“\(target.path)” could not be created", operation: .copy)
            }
            do {
                try target.synchronizeDirectory()
            } catch {
                unlink(target.path)
                throw error
            }
        }
    }

    /// Removes everything that was made.
    func discard() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partialURL.path + suffix) }
        data.remove(written)
        // Another store by the same name may have it open.
        if !hadFolder { data.removeIfEmpty() }
    }
}

@available(*, unavailable)
extension NewStoreFile: Sendable {}

extension StoreError {
    fileprivate static func sharedFolder(_ url: URL) -> StoreError {
        StoreError(
            .fileExists,
            """
            \(url.lastPathComponent) would share the folder \(ExternalDataFolder.url(of: url).lastPathComponent) with a \
            file beside it, whose name differs in the extension only. Choose another name.
            """, storeURL: url)
    }

    fileprivate static func targetExists(_ url: URL, _ suffix: String) -> StoreError {
        let name = url.lastPathComponent + suffix
        return StoreError(
            .fileExists,
            suffix.isEmpty
                ? "There is a file \(name) already, which is not replaced. Choose another name, or move it away."
                : """
                The file \(name) is the log of another store, and would be taken for the log of the new one. Choose \
                another name, or move it away.
                """, storeURL: url)
    }
}
