import DataMonkCore
import Foundation

/// **Shared.** The folder with the data that a store keeps in files of their own, as Core Data lays it out:
///
/// ```
/// Shop.sqlite
/// .Shop_SUPPORT/_EXTERNAL_DATA/0E5C9A0B-…          a value, as it is
///                             .0E5C9A0B-….new      a value being written
/// ```
/// A row names a file by its bare UUID. Files never change and are never used again: another value is another file, so
/// whoever still holds an older row reads the older value. What no row names any more goes when nobody else has the
/// store open: see `SQLiteStore.sweep`.
///
/// Invariants
/// 1. From opening to closing a store of a model with such attributes holds a shared lock on the folder, which it makes.
///    Whoever holds the exclusive lock is alone, but for programs that do not know the lock.
/// 2. A row that is committed names a file that is on disk, and in its folder.
/// 3. A file is removed only after the commit that took its last name is on disk.
///
/// Nothing here trusts the folder: it and the files in it are opened one below the other without following links, and
/// only regular files are read.
final class ExternalDataFolder: ExternalSource {
    /// Data of more bytes lies in a file of its own.
    static let largestInlineSize = 100 << 10

    let storeURL: URL
    /// Its number among the process's sources.
    let number: UInt32
    private let directory: ObjectDirectory
    /// How long another one's sweep is waited for.
    private let lockTimeout: Duration
    /// The folder's descriptor; -1 until the store is open, and while there is no folder. Not closed before the last row
    /// with a reference goes: somebody may be reading.
    private let descriptor = Locked<Int32>(-1)
    /// Whether files may have lost their rows since the store was opened.
    private let mayHoldOrphans = Locked(false)

    init(storeURL: URL, directory: ObjectDirectory, number: UInt32, lockTimeout: Duration) {
        self.storeURL = storeURL
        self.lockTimeout = lockTimeout
        self.directory = directory
        self.number = number
    }

    deinit {
        descriptor.withLock { if $0 >= 0 { close($0) } }
    }

    func report(_ error: any Error) { directory.report(error) }

    /// A deletion or a new value leaves a file behind.
    func noteOrphans() { mayHoldOrphans.withLock { $0 = true } }

    var hasOrphans: Bool { mayHoldOrphans.withLock { $0 } }

    // MARK: The folder

    static let filesName = "_EXTERNAL_DATA"

    private var folderName: String { ".\(storeURL.deletingPathExtension().lastPathComponent)_SUPPORT" }

    /// The folder beside a store file.
    static func url(of storeURL: URL) -> URL {
        storeURL.deletingLastPathComponent()
            .appendingPathComponent(".\(storeURL.deletingPathExtension().lastPathComponent)_SUPPORT")
    }

    /// The descriptor of the folder, nil if there is none and none is to be made. The first call takes the shared lock
    /// (invariant 1).
    ///
    /// - Throws: ``StoreError`` with the code `locked` if somebody sweeps the folder until the deadline.
    func open(creating: Bool) throws -> Int32? {
        try descriptor.withLock { descriptor in
            if descriptor >= 0 { return descriptor }
            guard let opened = try openFolder(creating: creating) else { return nil }
            do {
                try share(opened)
            } catch {
                close(opened)
                throw error
            }
            descriptor = opened
            return opened
        }
    }

    /// Gives the shared lock back: the store is closed.
    func release() {
        descriptor.withLock { if $0 >= 0 { flock($0, LOCK_UN) } }
    }

    /// Takes the shared lock, if the folder is open.
    func share() throws {
        let folder = descriptorIfOpen
        if folder >= 0 { try share(folder) }
    }

    private func share(_ folder: Int32) throws {
        let deadline = ContinuousClock.now + lockTimeout
        while flock(folder, LOCK_SH | LOCK_NB) != 0 {
            guard errno == EAGAIN || errno == EINTR else {
                throw StoreError.externalData(errno, "its folder", storeURL)
            }
            guard ContinuousClock.now < deadline else { throw StoreError.externalDataIsLocked(storeURL) }
            // A lock of a file cannot be waited for until a deadline.
            usleep(10_000)
        }
    }

    /// Calls `body` with the exclusive lock, if nobody else has the store open: not another process, nor another stack of
    /// this one. Else nothing happens.
    func whileAlone(_ body: () throws -> Void) throws {
        let folder = descriptorIfOpen
        guard folder >= 0, !hasSibling else { return }
        let isAlone = flock(folder, LOCK_EX | LOCK_NB) == 0
        // An attempt that fails loses the shared lock too.
        let result = Result { if isAlone { try body() } }
        try share(folder)
        try result.get()
    }

    /// The descriptor of the folder if it was opened, else -1.
    var descriptorIfOpen: Int32 { descriptor.withLock { $0 } }

    private func openFolder(creating: Bool) throws -> Int32? {
        let place = storeURL.deletingLastPathComponent().path
        let parent = Foundation.open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw StoreError.externalData(errno, place, storeURL) }
        defer { close(parent) }
        guard let support = try openSubfolder(folderName, of: parent, creating: creating) else { return nil }
        defer { close(support) }
        return try openSubfolder(Self.filesName, of: support, creating: creating)
    }

    private func openSubfolder(_ name: String, of parent: Int32, creating: Bool) throws -> Int32? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = openat(parent, name, flags)
        if descriptor >= 0 { return descriptor }
        guard errno == ENOENT else { throw StoreError.externalData(errno, name, storeURL) }
        if !creating { return nil }
        guard mkdirat(parent, name, 0o700) == 0 || errno == EEXIST else {
            throw StoreError.externalData(errno, name, storeURL)
        }
        guard fsync(parent) == 0 else { throw StoreError.externalData(errno, name, storeURL) }
        let made = openat(parent, name, flags)
        guard made >= 0 else { throw StoreError.externalData(errno, name, storeURL) }
        return made
    }

    // MARK: Reading

    func data(of identifier: UUID) throws -> Data {
        let name = identifier.uuidString
        guard let folder = try open(creating: false) else { throw StoreError.missingExternalData(name, storeURL) }
        // Non-blocking: a pipe in the place of a file would otherwise be waited for.
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { throw StoreError.missingExternalData(name, storeURL) }
            throw StoreError.externalData(errno, name, storeURL)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw StoreError.externalData(errno, name, storeURL) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError.externalDataIsNoFile(name, storeURL) }
        guard status.st_size < RowFormat.maximumSize else { throw StoreError.externalData(EFBIG, name, storeURL) }
        return try read(Int(status.st_size), from: file, name)
    }

    private func read(_ size: Int, from file: Int32, _ name: String) throws -> Data {
        var data = Data(count: size)
        var count = 0
        while count < size {
            let result = data.withUnsafeMutableBytes {
                Foundation.read(file, $0.baseAddress.map { $0 + count }, size - count)
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw StoreError.externalData(errno, name, storeURL) }
            // Shorter than it said: somebody cuts it while it is read.
            if result == 0 { throw StoreError.externalData(EIO, name, storeURL) }
            count += result
        }
        return data
    }
}
