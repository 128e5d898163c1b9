import DataMonkCore
package import Foundation

/// **Shared.** A private copy of a store, for reading the store without leaving a trace, or where its log cannot be opened.
///
/// Opening a store in place creates or removes files beside it, and may move its log into it. The copy takes the bytes of
/// the database and its log as they are. They are consistent if neither file changed from before the first byte was read to
/// after the last one. A copy of what a connection sees is consistent in any case.
///
/// The copy is deleted with its last reference.
package final class PrivateCopy: Sendable {
    /// The copied database, with the name of the original.
    package let url: URL
    private let folder: URL

    /// The suffixes of the copied files. A log and a journal contain data that is not in the database yet.
    private static let suffixes = ["", "-wal", "-journal"]
    /// The maximum number of attempts. A store at rest is copied at the first one.
    private static let maximumAttempts = 10

    /// Copies a store.
    ///
    /// - Parameters:
    ///   - hasFiles: Whether the copy has the store's external data.
    ///   - linksFiles: Whether it has them as hard links, so that nobody may write into them, rather than as copies.
    /// - Throws: ``StoreError`` if there is no such file, if it cannot be read, or if it does not stop changing (`locked`).
    package init(of store: URL, hasFiles: Bool = true, linksFiles: Bool = true) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: store.path, isDirectory: &isDirectory) else {
            throw StoreError(.fileNotFound, "The file \(store.path) does not exist. Check the path.", storeURL: store)
        }
        if isDirectory.boolValue {
            throw StoreError(.openFailed, "\(store.path) is a folder. Pass the file of the store.", storeURL: store)
        }
        folder = Self.newFolder
        url = folder.appending(path: store.lastPathComponent)
        do {
            try makeFolder()
            for _ in 0..<Self.maximumAttempts {
                let before = FileState.settled(of: store)
                try copyDatabase(of: store)
                if hasFiles { try addLargeValues(of: store, asLinks: linksFiles) }
                if FileState(of: store) == before { return }
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)  // Nothing more can be done, and the error says why.
            throw StoreError.notCopied(store, because: error)
        }
        throw StoreError(
            .locked, "\(store.path) is changed continuously. Try again when the program that uses it writes less.",
            storeURL: store)
    }

    /// Copies the database, without external data, as a connection sees it now.
    ///
    /// - Throws: ``StoreError`` if it cannot be copied; `CancellationError` if the task is cancelled.
    init(of connection: SQLiteConnection) throws {
        folder = Self.newFolder
        url = folder.appending(path: connection.fileURL.lastPathComponent)
        do {
            try makeFolder()
            try DatabaseFile(url).createIfMissing()
            try connection.beginSnapshot()
            try connection.copyPages(to: url) { _, _ in try Task.checkCancellation() }
            try connection.rollback()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw StoreError.notCopied(connection.fileURL, because: error)
        }
    }

    private static var newFolder: URL {
        FileManager.default.temporaryDirectory.appending(path: "datamonk-\(UUID().uuidString)")
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        // Reason for try?: if the folder cannot be removed, the system cleans it up.
        try? FileManager.default.removeItem(at: folder)
    }

    private func copyDatabase(of store: URL) throws {
        // SQLite's files lie beside the file that a link leads to. The link itself would be copied as one.
        let database = store.resolvingSymlinksInPath()
        // A pipe would be waited for.
        try DatabaseFile(database).requireRegularFiles()
        for suffix in Self.suffixes {
            let copy = url.path + suffix
            if FileManager.default.fileExists(atPath: copy) { try FileManager.default.removeItem(atPath: copy) }
            guard FileManager.default.fileExists(atPath: database.path + suffix) else { continue }
            if suffix.isEmpty {
                try SQLiteConnection.copyFile(at: database, to: url)
            } else {
                try FileManager.default.copyItem(atPath: database.path + suffix, toPath: copy)
            }
            // A store may be read-only, but its copy is opened for writing.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        }
    }

    /// Gives the copy the files of large values, which never change: as hard links in a folder of its own, because a store
    /// does not follow links to folders. On another volume, the files are copied.
    private func addLargeValues(of store: URL, asLinks: Bool) throws {
        let (originals, links) = (ExternalDataFolder.filesURL(of: store), ExternalDataFolder.filesURL(of: url))
        guard FileManager.default.fileExists(atPath: originals.path) else { return }
        try FileManager.default.createDirectory(
            at: links, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in try FileManager.default.contentsOfDirectory(atPath: originals.path) {
            let (original, link) = (originals.appending(path: name), links.appending(path: name))
            // A store reads only regular files, and copying anything else might block forever.
            let type = try FileManager.default.attributesOfItem(atPath: original.path)[.type] as? FileAttributeType
            if type != .typeRegular || FileManager.default.fileExists(atPath: link.path) { continue }
            // Reason for try?: what cannot be linked is copied.
            if asLinks, (try? FileManager.default.linkItem(at: original, to: link)) != nil { continue }
            try FileManager.default.copyItem(at: original, to: link)
        }
    }
}

extension StoreError {
    fileprivate static func notCopied(_ url: URL, because error: any Error) -> StoreError {
        StoreError(
            .noReadPermission,
            """
            \(url.path) cannot be copied for inspection. Check its permissions, and the space for temporary files.
            """, storeURL: url, underlyingError: error)
    }
}
