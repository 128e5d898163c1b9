package import DataMonkCore
import DataMonkSQL
package import Foundation

/// **Confined.** Moves a store to a folder of its own, step by step.
///
/// ```
/// open exclusively      "locked" while anyone else has the file open
/// checkpoint            the whole store is in its file; the empty log is removed, so that no part of the old store is left
///                       beside a new one
/// lock the folder       of external data: "locked" while anyone reads it without the file, as a backup does at its end
/// make the folder       Shop.<seconds since 1970>, or with -2, -3 …
/// link the large values each external file gets a second name in the folder
/// rename the file       the atomic step by which the store moves
/// unlink                the old names of the external files, unless another store beside it shares their folder
/// close
/// ```
/// A process that ends before the rename leaves the store where it was, and at most a folder with second names of its
/// external files. A process that ends after it leaves the store in the folder, and at most old names of external files,
/// which no row of a new store refers to. Only files whose names were linked are unlinked, and no folder is removed: a new
/// store may already be in use there. A failure after the rename changes nothing of this: the store has moved.
package struct PuttingAside {
    /// **Value.** The step that has just been completed.
    package enum Step: String, Sendable, CaseIterable, Codable {
        case opened, checkpointed, folderMade, linked, renamed, unlinked
    }

    /// **Value.** The place of a store that was put aside.
    package struct Outcome {
        package let folder: URL
        /// The failure of a step after the rename: the old names of external files are still there, or the move may be
        /// undone by a power cut.
        package let failure: StoreError?
    }

    private let url: URL
    private let observer: (Step) -> Void

    init(_ url: URL, observer: @escaping (Step) -> Void) {
        self.url = url
        self.observer = observer
    }

    func run(unlessOf schema: StoreSchema) throws -> Outcome? {
        try ExclusiveAccess.requireNoLink(url)
        var options = SQLiteOptions(access: .readWrite)
        options.isExclusive = true
        // Short and random: two processes that wait for exclusive access at the same moments would otherwise go on like
        // that.
        options.busyTimeout = .milliseconds(Int.random(in: 50...250))
        options.label = "put aside"
        // It is the file at the path, and from here on nobody else can move it.
        let connection = try SQLiteConnection(fileURL: url, options: options)
        // An empty file is one in which another process is about to make the new store.
        guard try !connection.isEmptyDatabase(),
            try SQLiteStore.readMetadata(from: connection, at: url).1.mismatch(with: schema) != nil
        else {
            try connection.close()
            return nil
        }
        observer(.opened)
        try connection.checkpoint(.truncate)
        try connection.keepLogOnClosing()
        observer(.checkpointed)
        let result = try moveAlone()
        // Reason for try?: nothing is left to write, and the store has moved.
        try? connection.close()
        return result
    }

    // MARK: Files

    /// Moves the store while nobody else reads its external data: the files are about to lose their names.
    ///
    /// - Throws: ``StoreError`` with the code `locked` if somebody does.
    private func moveAlone() throws -> Outcome {
        let data = ExternalDataFolder(storeURL: url, lockTimeout: .zero)
        // Without a folder there is nothing to remove, and beside another store that shares it nothing is.
        guard try data.open(creating: false) != nil, try !data.hasSibling else { return try move() }
        var outcome: Outcome?
        let lock = Result { try data.whileAlone { outcome = try move() } }
        // The store has moved, whatever has become of the lock since.
        if let outcome { return outcome }
        try lock.get()
        throw StoreError.externalDataInUse(url)
    }

    private func move() throws -> Outcome {
        let folder = try makeFolder()
        observer(.folderMade)
        let names: [String]
        do {
            names = try linkExternalData(to: folder)
            observer(.linked)
            for suffix in ["-wal", "-shm"] { try remove(url.path + suffix) }
            try rename(to: folder)
        } catch {
            // Reason for try?: the first error is the one to throw, and only second names of files are left behind.
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        observer(.renamed)
        do {
            try finish(folder, names: names)
            return Outcome(folder: folder, failure: nil)
        } catch {
            return Outcome(folder: folder, failure: .unfinished(url, in: folder, because: error))
        }
    }

    private func finish(_ folder: URL, names: [String]) throws {
        try synchronize(folder)
        try synchronize(url.deletingLastPathComponent())
        // Nobody knows which of the files are the other store's.
        if try !ExternalDataFolder(storeURL: url).hasSibling { for name in names { try remove(name) } }
        observer(.unlinked)
    }

    private func makeFolder() throws -> URL {
        let name = url.deletingPathExtension().path + ".\(Int(Date().timeIntervalSince1970))"
        var path = name
        var number = 1
        while mkdir(path, 0o700) != 0 {
            guard errno == EEXIST else { throw StoreError.notPutAside(url, path: path) }
            number += 1
            path = "\(name)-\(number)"
        }
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    /// Gives each external file a second name in the folder.
    ///
    /// - Returns: The paths of the first names.
    private func linkExternalData(to folder: URL) throws -> [String] {
        let source = SQLiteStore.externalDataFolder(of: url)
        guard try kind(source.path) == S_IFDIR else { return [] }
        let destination = folder.appendingPathComponent(source.lastPathComponent, isDirectory: true)
        var linked: [String] = []
        var folders = [destination]
        try makeFolder(destination)
        for name in try FileManager.default.subpathsOfDirectory(atPath: source.path).sorted() {
            let (from, to) = (source.appendingPathComponent(name), destination.appendingPathComponent(name))
            switch try kind(from.path) {
            case S_IFDIR:
                try makeFolder(to)
                folders.append(to)
            case S_IFREG:
                if link(from.path, to.path) != 0 { try copy(from: from, to: to) }
                linked.append(from.path)
            default:
                // Not something that a store reads; links are not followed.
                continue
            }
        }
        for folder in folders.reversed() { try synchronize(folder) }
        try synchronize(url.deletingLastPathComponent())
        return linked
    }

    /// Copies a file, for volumes without hard links.
    private func copy(from: URL, to: URL) throws {
        try FileManager.default.copyItem(at: from, to: to)
        try synchronize(to)
    }

    private func makeFolder(_ folder: URL) throws {
        guard mkdir(folder.path, 0o700) == 0 else { throw StoreError.notPutAside(url, path: folder.path) }
    }

    private func rename(to folder: URL) throws {
        let path = folder.appendingPathComponent(url.lastPathComponent).path
        guard Foundation.rename(url.path, path) == 0 else { throw StoreError.notPutAside(url, path: url.path) }
    }

    private func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw StoreError.notPutAside(url, path: path) }
    }

    /// Returns the type of a file without following links, or 0 if there is none.
    private func kind(_ path: String) throws -> mode_t {
        var status = stat()
        if lstat(path, &status) == 0 { return status.st_mode & S_IFMT }
        guard errno == ENOENT else { throw StoreError.notPutAside(url, path: path) }
        return 0
    }

    private func synchronize(_ place: URL) throws {
        let descriptor = Foundation.open(place.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError.notPutAside(url, path: place.path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StoreError.notPutAside(url, path: place.path) }
    }
}

extension StoreError {
    fileprivate static func unfinished(_ url: URL, in folder: URL, because error: any Error) -> StoreError {
        StoreError(
            .writeFailed,
            """
            \(url.lastPathComponent) was moved to \(folder.path), but a step after that failed: after a power cut it may be \
            at its former place again, and some of its external data is at both places. The underlying error is the reason.
            """, storeURL: url, underlyingError: error)
    }

    fileprivate static func externalDataInUse(_ url: URL) -> StoreError {
        let folder = ExternalDataFolder.url(of: url)
        let path = folder.appendingPathComponent(ExternalDataFolder.filesName).path
        let holders = LockHolder.holders(ofFolderAt: path).map(\.description)
        return StoreError(
            .locked,
            """
            \(url.lastPathComponent) was written with another version of the model, and was not moved aside: \
            \(folder.lastPathComponent), the folder with its external data, is being read by \
            \(holders.isEmpty ? "somebody else" : holders.joined(separator: " and ")), as for a backup. Try again when \
            that has ended.
            """, storeURL: url)
    }

    /// Creates an error for the system's last error.
    fileprivate static func notPutAside(_ url: URL, path: String) -> StoreError {
        let number = errno
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT: .outOfSpace
            case EACCES, EPERM: .noWritePermission
            case EROFS: .readOnly
            default: .writeFailed
            }
        return StoreError(
            code,
            """
            \(url.lastPathComponent) was written with another version of the model, and could not be moved aside: \
            \(path): \(describeSystemError(number)). Move it away, or make its folder writable.
            """, storeURL: url)
    }
}
