import DataMonkCore
import Foundation

/// **Confined.** A store file in the making. It appears at its place with one step, when it is complete and on disk.
///
/// ```
/// .Shop_SUPPORT.lock              until everything is made; see `TargetReservation`
/// .Shop.sqlite.<UUID>             the database, until it is published
/// .Shop_SUPPORT/_EXTERNAL_DATA/   its external data; a file is complete before it gets its name
/// Shop.sqlite                     the database, from then on
/// ```
/// A process that ends before that leaves nothing at the place. What it has made is removed when the next store is made there.
///
/// A file of external data of a store that is replaced may have other contents than the one to be copied, because it is damaged.
/// The copy has another name then, and replaces the file in the step before the last one, so that the new store never has the
/// damaged one. If the last step fails, or if the process ends between both, the old store has the copy.
final class NewStoreFile {
    /// The place of the store.
    let url: URL
    /// The place of the database until it is published.
    let partialURL: URL
    private let reservation: TargetReservation
    private let data: ExternalDataFolder
    private let files = SystemFileCalls.inUse.withLock { $0 }
    /// The end of the database's name until it is published.
    private let name = UUID()
    /// The name of files of external data until they are complete.
    private let draft = UUID()
    /// A Boolean value indicating whether the file takes the place of another one.
    private let replaces: Bool
    /// A Boolean value indicating whether there was a folder for external data before.
    private let hadFolder: Bool
    /// A Boolean value indicating whether the database has its name: what was made is in use.
    private var isPublished = false
    /// The files of external data that are new.
    private var written: [UUID] = []
    /// The new files that replace files of other contents: the names of both.
    private var replacements: [(name: UUID, copy: UUID)] = []
    /// The folder as the new store has it, if the store writes files by itself.
    private var listedFolder: ExternalDataFolder?

    /// Creates an empty database file beside a place where nothing is yet.
    ///
    /// - Parameter replaces: Whether there is a store at the place, which the caller has locked, and which the new one
    ///   replaces. The caller ensures that there is no log.
    /// - Throws: ``StoreError`` with the code `fileExists` if there is a file, the log of one, or a folder for external data
    ///   that another store has; others if the folder is missing or cannot be written to.
    init(at url: URL, replaces: Bool = false) throws {
        self.url = url
        self.replaces = replaces
        if !replaces { try Self.requireNothing(at: url) }
        reservation = try StoreError.translatingFailures(of: url) { try TargetReservation(of: url) }
        data = ExternalDataFolder(storeURL: url)
        let folder = url.deletingLastPathComponent()
        partialURL = folder.appendingPathComponent(".\(url.lastPathComponent).\(name.uuidString)")
        let hadFolder = Self.exists(ExternalDataFolder.url(of: url).path)
        self.hadFolder = hadFolder && !reservation.remains.hasFolder
        var hasRemains = !reservation.remains.names.isEmpty
        do {
            // Somebody may have made a store until the place was reserved.
            if !replaces { try Self.requireNothing(at: url) }
            if hadFolder, try data.hasSibling { throw StoreError.sharedFolder(url) }
            try StoreError.translatingFailures(of: url) {
                try removeRemains()
                hasRemains = false
                try reservation.noteFile(name)
                try reservation.noteFile(draft)
                if !self.hadFolder { try reservation.noteFolder() }
                try DatabaseFile(partialURL).createIfMissing()
            }
        } catch {
            // Otherwise the list of what remains is for the next one.
            if !hasRemains { reservation.release() }
            throw error
        }
    }

    private static func requireNothing(at url: URL) throws {
        let path = try StoreError.translatingFailures(of: url) { try DatabaseFile(url).path }
        // A log would be taken for the new database's.
        for suffix in ["", "-wal", "-journal"] where exists(path + suffix) {
            throw StoreError.targetExists(url, suffix)
        }
    }

    /// Removes what a process has left that ended while it made a store here.
    ///
    /// - Throws: ``StoreError`` if something cannot be removed. The list of what remains is then kept.
    private func removeRemains() throws {
        let names = reservation.remains.names
        if names.isEmpty { return }
        let folder = url.deletingLastPathComponent()
        for name in try data.namesBesideStore() {
            guard let place = name.lastIndex(of: "."), name.hasPrefix(".") else { continue }
            var last = String(name[name.index(after: place)...])
            for suffix in Self.suffixes where last.hasSuffix(suffix) { last.removeLast(suffix.count) }
            guard let made = UUID(uuidString: last), names.contains(made) else { continue }
            let path = folder.appendingPathComponent(name).path
            guard files.remove(path, in: AT_FDCWD) == 0 || errno == ENOENT else {
                throw SQLiteFailure.system(
                    errno, doing: "“\(path)”, left by an interrupted copy, could not be removed", operation: .copy)
            }
        }
        _ = try data.open(creating: false)
        data.remove(names)
        try data.remove(names: Set(names.map { ExternalDataFolder.draftName(of: $0.uuidString) }))
        try reservation.settle()
    }

    private static let suffixes = ["-wal", "-shm", "-journal"]

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    // MARK: External data

    /// Copies a file of external data, unless it is there. One with other contents is replaced if the store is.
    ///
    /// - Parameter observer: Called with the number of bytes of each part.
    /// - Returns: `false` if there is no such file.
    /// - Throws: ``UnreadableFile`` if the original cannot be read.
    func copy(
        _ identifier: UUID, from source: ExternalDataFolder, observer: (Int64) throws -> Void
    ) throws -> Bool {
        let original = try UnreadableFile.noting {
            try source.openFile(of: identifier).map { file in
                do {
                    return (file: file, size: Int64(try source.size(ofFile: file, identifier.uuidString)))
                } catch {
                    files.close(file)
                    throw error
                }
            }
        }
        guard let (file, size) = original else { return false }
        defer { files.close(file) }
        let isSame = try data.isSame(identifier, as: source)
        if isSame == true {
            try observer(size)
            return true
        }
        guard isSame == nil || replaces else { throw StoreError.differentFile(url, identifier) }
        let copy = isSame == nil ? identifier : UUID()
        try reservation.noteFile(copy)
        written.append(copy)
        try data.write(identifier, from: file, of: source, as: copy, draft: draft, observer: observer)
        if copy != identifier { replacements.append((identifier, copy)) }
        return true
    }

    /// Lists the files of external data that the new store writes by itself from now on. They go if it is not published.
    func listFiles(of folder: ExternalDataFolder) {
        listedFolder = folder
        folder.listWrittenFiles { [reservation, url] name in
            try StoreError.translatingFailures(of: url) { try reservation.noteFile(name) }
        }
    }

    /// Empties the database, for another attempt.
    func reset() throws {
        removeDatabase()
        try StoreError.translatingFailures(of: url) { try DatabaseFile(partialURL).createIfMissing() }
    }

    // MARK: The end

    /// Examines what was made. Files that were in the folder before, and that no row refers to, are not its own: they are
    /// left alone, and do not count.
    ///
    /// - Parameter error: Returns the error for what is found.
    func requireSound(model: ManagedObjectModel?, _ error: ([StoreFinding]) -> StoreError) throws {
        let examination = try StoreExaminer.examine(partialURL, of: url, model: model).examination
        let findings = examination.findings.filter { $0.kind != .orphanFile }
        guard findings.isEmpty, examination.isComplete else { throw error(findings) }
    }

    /// Puts the database at its place. No connection to it is open any more.
    ///
    /// - Throws: ``StoreError`` with the code `fileExists` if a file has appeared there meanwhile.
    func publish() throws {
        try data.synchronize()
        try StoreError.translatingFailures(of: url) {
            // From the next step on, the files are the store's, but for the names that some have had.
            try reservation.settle()
            for name in [name] + replacements.map(\.copy) { try reservation.noteFile(name) }
            try replaceFiles()
            try move(try DatabaseFile(partialURL).path, to: try DatabaseFile(url).path)
            do {
                try DatabaseFile(url).synchronizeDirectory()
            } catch {
                guard replaces else {
                    unlink(url.path)
                    throw error
                }
                // The old file is gone.
                isPublished = true
                throw StoreError.unconfirmedReplacement(url, because: error)
            }
        }
        reservation.release()
    }

    /// Replaces the files of other contents, which the new store must not have.
    private func replaceFiles() throws {
        if replacements.isEmpty { return }
        for (name, copy) in replacements { try data.rename(copy, to: name) }
        try data.synchronize()
    }

    /// Gives the database its name, unless a file by that name has appeared in the meantime.
    private func move(_ partial: String, to target: String) throws {
        if replaces {
            guard files.rename(partial, to: target, in: AT_FDCWD) == 0 else {
                throw SQLiteFailure.system(errno, doing: "“\(target)” could not be replaced", operation: .copy)
            }
            return
        }
        if files.link(partial, to: target, in: AT_FDCWD) == 0 {
            _ = files.remove(partial, in: AT_FDCWD)
            return
        }
        // Some volumes have no links.
        if errno == EEXIST || files.renameExclusively(partial, to: target, in: AT_FDCWD) != 0 {
            let code = errno
            switch code {
            case EEXIST: throw StoreError.targetExists(url, "")
            case EINVAL, ENOSYS, ENOTSUP: throw StoreError.withoutExclusiveNames(url)
            default: throw SQLiteFailure.system(code, doing: "“\(target)” could not be created", operation: .copy)
            }
        }
    }

    /// Removes everything that was made. What cannot be removed stays on the list, for the next copy to the place.
    func discard() {
        if isPublished { return reservation.release() }
        let isGone = removeDatabase()
        // Reason for try?: a folder that cannot be opened stays.
        _ = try? data.open(creating: false)
        data.remove(written)
        listedFolder?.removeListedFiles()
        // Another store by the same name may have it open.
        if !hadFolder { data.removeIfEmpty() }
        if isGone { reservation.release() }
    }

    /// Returns `false` if something could not be removed.
    @discardableResult
    private func removeDatabase() -> Bool {
        ([""] + Self.suffixes).map { suffix in
            files.remove(partialURL.path + suffix, in: AT_FDCWD) == 0 || errno == ENOENT
        }.allSatisfy(\.self)
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

    fileprivate static func unconfirmedReplacement(_ url: URL, because error: any Error) -> StoreError {
        StoreError(
            .writeFailed,
            """
            \(url.lastPathComponent) was replaced, but its folder could not be synced: after a loss of power, the old store \
            may be there. Check the disk, and replace it again.
            """, storeURL: url, underlyingError: error)
    }

    /// The error for a file by the name of one that is to be copied, and with other contents.
    fileprivate static func differentFile(_ url: URL, _ identifier: UUID) -> StoreError {
        StoreError(
            .fileExists,
            """
            \(identifier.uuidString) in \(ExternalDataFolder.url(of: url).lastPathComponent) is not the file of external data \
            that \(url.lastPathComponent) needs, and is not replaced. Choose another name, or move the folder away.
            """, storeURL: url)
    }

    fileprivate static func withoutExclusiveNames(_ url: URL) -> StoreError {
        StoreError(
            .writeFailed,
            """
            \(url.lastPathComponent) cannot be made on this volume without the danger of replacing another file: it has \
            neither hard links nor a way to rename a file only if the name is free. Choose another volume.
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
