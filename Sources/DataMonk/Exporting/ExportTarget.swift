import DataMonkSQLite
public import Foundation

/// **Shared.** The place where an export is written to.
public enum ExportTarget: Sendable {
    /// A file, which appears at its place with one step, when it is complete and on disk.
    case file(URL)
    /// A function that is called with one part after the other, on the thread that exports. Each part is of the export's state;
    /// together they are the rows only if the export returns. An error that the function throws ends it. While it runs, the
    /// store's state is held, so it should not wait for long.
    case sink(@Sendable (Data) throws -> Void)
}

extension ExportTarget {
    /// Throws an error if the target is one of some files, by whatever path or link, one that SQLite has beside them, or a value
    /// that they keep outside of them.
    ///
    /// - Parameter reason: The role of the files, for the message: "is …".
    /// - Throws: ``FormatError`` with the code `unwritableFile`.
    package func requireNone(of files: [URL], because reason: String) throws {
        guard case .file(let url) = self else { return }
        let place = url.resolvingSymlinksInPath()
        let target = FileIdentity(ofFileIfPresentAt: url)
        let folder = FileIdentity(ofFileIfPresentAt: place.deletingLastPathComponent())
        // SQLite makes and removes its files as it needs them: one that is missing has its folder and its name.
        func isTarget(_ file: URL) -> Bool {
            if let target { return FileIdentity(ofFileIfPresentAt: file) == target }
            return folder != nil && file.lastPathComponent == place.lastPathComponent
                && FileIdentity(ofFileIfPresentAt: file.deletingLastPathComponent()) == folder
        }
        for file in files {
            // SQLite's files lie beside the file that a link leads to.
            let path = file.resolvingSymlinksInPath().path
            let values = FileIdentity(ofFileIfPresentAt: SQLiteStore.externalDataFolder(ofStoreAt: URL(filePath: path)))
            let isFile = ["", "-wal", "-shm", "-journal"].contains { isTarget(URL(filePath: path + $0)) }
            if isFile || values != nil && values == folder {
                throw FormatError(
                    .unwritableFile, "\(url.lastPathComponent) \(reason), and is not replaced. Choose another place.")
            }
        }
    }
}
