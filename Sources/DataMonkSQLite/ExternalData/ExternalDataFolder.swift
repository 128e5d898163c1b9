import DataMonkCore
package import Foundation

/// **Shared.** The folder for values that a store keeps in separate files, in Core Data's layout:
///
/// ```
/// Shop.sqlite
/// .Shop_SUPPORT/_EXTERNAL_DATA/0E5C9A0B-…          a value, as it is
///                             .0E5C9A0B-….new      a value being written
/// ```
/// A row refers to a file by its UUID. Files never change and are never reused: a new value is a new file, so a holder of an
/// older row still reads the older value. Files that no row refers to are removed when no one else has the store open; see
/// `SQLiteStore.sweep`.
///
/// Invariants
/// 1. While a store is open whose model has such attributes, it holds a shared lock on the folder, which it creates. The
///    holder of the exclusive lock is alone, except for programs that ignore the lock.
/// 2. The file that a committed row refers to is on disk, and so is its directory entry.
/// 3. A file is removed only after the commit that removed the last reference to it is on disk.
///
/// Nothing here trusts the folder: it and its files are opened one below the other without following links, and only regular
/// files are read.
final class ExternalDataFolder: ExternalSource {
    /// The files that a store has written, which are removed if it is not committed or not published.
    struct WrittenFiles {
        var names: [UUID] = []
        /// Called with the name of a file before it is made.
        let note: @Sendable (UUID) throws -> Void
    }

    /// Values of more bytes are kept in separate files.
    static let largestInlineSize = 100 << 10

    let storeURL: URL
    /// The number of this source in the process.
    let number: UInt32
    private let directory: ObjectDirectory?
    let files = SystemFileCalls.inUse.withLock { $0 }
    /// The maximum time to wait for another program's sweep.
    private let lockTimeout: Duration
    /// The folder's descriptor; -1 until the store is opened and while there is no folder. Stays open until the last row
    /// with a reference is released, because that reference may still be read.
    private let descriptor = Locked<Int32>(-1)
    /// A Boolean value indicating whether files may have become unreferenced since the store was opened.
    private let mayHoldOrphans = Locked(false)
    /// The files written since `listWrittenFiles(noting:)`; `nil` before it.
    let writtenFiles = Locked<WrittenFiles?>(nil)

    init(storeURL: URL, directory: ObjectDirectory?, number: UInt32, lockTimeout: Duration) {
        self.storeURL = storeURL
        self.lockTimeout = lockTimeout
        self.directory = directory
        self.number = number
    }

    /// Creates a folder of a store that is not open: no row of an open store refers to its files by this source.
    convenience init(storeURL: URL, lockTimeout: Duration = .seconds(5)) {
        self.init(storeURL: storeURL, directory: nil, number: 0, lockTimeout: lockTimeout)
    }

    deinit {
        descriptor.withLock { if $0 >= 0 { files.close($0) } }
    }

    func report(_ error: any Error) { directory?.report(error) }

    /// Records that a deletion or a new value has left a file behind.
    func noteOrphans() { mayHoldOrphans.withLock { $0 = true } }

    var hasOrphans: Bool { mayHoldOrphans.withLock { $0 } }

    // MARK: The folder

    static let filesName = "_EXTERNAL_DATA"

    private var folderName: String { ".\(storeURL.deletingPathExtension().lastPathComponent)_SUPPORT" }

    /// Returns the folder beside a store file.
    static func url(of storeURL: URL) -> URL {
        storeURL.deletingLastPathComponent()
            .appendingPathComponent(".\(storeURL.deletingPathExtension().lastPathComponent)_SUPPORT")
    }

    /// Returns the folder of the values' files beside a store file.
    static func filesURL(of storeURL: URL) -> URL { url(of: storeURL).appendingPathComponent(filesName) }

    /// Returns the folder's descriptor, or `nil` if the folder neither exists nor is to be created. The first call takes the
    /// shared lock (invariant 1).
    ///
    /// - Throws: ``StoreError`` with the code `locked` if a sweep of the folder lasts beyond the deadline.
    func open(creating: Bool) throws -> Int32? {
        try descriptor.withLock { descriptor in
            if descriptor >= 0 { return descriptor }
            // Another process may remove an empty folder between any two of these steps.
            for _ in 0..<Self.maximumAttempts {
                guard let opened = try openFolder(creating: creating) else {
                    if creating { continue }
                    return nil
                }
                do {
                    try share(opened)
                    if try isInPlace(opened) {
                        descriptor = opened
                        return opened
                    }
                } catch {
                    files.close(opened)
                    throw error
                }
                files.close(opened)
            }
            throw StoreError.externalDataIsLocked(storeURL)
        }
    }

    private static let maximumAttempts = 100

    /// Returns `false` if an open folder was removed before this one had the lock.
    private func isInPlace(_ folder: Int32) throws -> Bool {
        let place = Self.url(of: storeURL).appendingPathComponent(Self.filesName).path
        var (own, found) = (stat(), stat())
        guard files.examine(folder, &own) == 0 else {
            throw StoreError.externalData(errno, name: "its folder", in: storeURL)
        }
        if files.examine(place, in: AT_FDCWD, &found) == 0 { return FileIdentity(own) == FileIdentity(found) }
        if errno == ENOENT { return false }
        throw StoreError.externalData(errno, name: "its folder", in: storeURL)
    }

    /// Releases the shared lock when the store is closed.
    func release() {
        descriptor.withLock { if $0 >= 0 { _ = files.lock($0, LOCK_UN) } }
    }

    /// Takes the shared lock, if the folder is open.
    func share() throws {
        let folder = descriptorIfOpen
        if folder >= 0 { try share(folder) }
    }

    private func share(_ folder: Int32) throws {
        let deadline = ContinuousClock.now + lockTimeout
        while files.lock(folder, LOCK_SH | LOCK_NB) != 0 {
            guard errno == EAGAIN || errno == EINTR else {
                throw StoreError.externalData(errno, name: "its folder", in: storeURL)
            }
            guard ContinuousClock.now < deadline else { throw StoreError.externalDataIsLocked(storeURL) }
            // File locks offer no wait with a deadline.
            usleep(10_000)
        }
    }

    /// Calls `body` with the exclusive lock if no one else has the store open, neither another process nor another stack in
    /// this process. Otherwise does nothing.
    func whileAlone(_ body: () throws -> Void) throws {
        let folder = descriptorIfOpen
        guard folder >= 0, try !hasSibling else { return }
        let isAlone = files.lock(folder, LOCK_EX | LOCK_NB) == 0
        let code = isAlone ? EWOULDBLOCK : errno
        // A failed attempt loses the shared lock, too. A sibling may have been made, and closed, since it was looked for.
        let result = Result { if isAlone, try !hasSibling { try body() } }
        try share(folder)
        try result.get()
        // Somebody else has the lock, or a signal came in between; anything else would come again.
        if code != EWOULDBLOCK, code != EINTR {
            throw StoreError.externalData(code, name: "its folder", in: storeURL)
        }
    }

    /// The folder's descriptor if it is open, otherwise -1.
    var descriptorIfOpen: Int32 { descriptor.withLock { $0 } }

    /// Returns `nil` if there is none, or if somebody removes it while it is made.
    private func openFolder(creating: Bool) throws -> Int32? {
        let place = storeURL.deletingLastPathComponent().path
        let parent = files.open(place, in: AT_FDCWD, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        if parent < 0, errno == ENOENT, !creating { return nil }
        guard parent >= 0 else { throw StoreError.externalData(errno, name: place, in: storeURL) }
        defer { files.close(parent) }
        guard let support = try openSubfolder(folderName, of: parent, creating: creating) else { return nil }
        defer { files.close(support) }
        return try openSubfolder(Self.filesName, of: support, creating: creating)
    }

    private func openSubfolder(_ name: String, of parent: Int32, creating: Bool) throws -> Int32? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = files.open(name, in: parent, flags, mode: 0)
        if descriptor >= 0 { return descriptor }
        guard errno == ENOENT else { throw StoreError.externalData(errno, name: name, in: storeURL) }
        if !creating { return nil }
        guard files.makeFolder(name, in: parent, mode: 0o700) == 0 || errno == EEXIST else {
            // The parent has been removed.
            if errno == ENOENT { return nil }
            throw StoreError.externalData(errno, name: name, in: storeURL)
        }
        guard files.synchronize(parent) == 0 else {
            let code = errno
            // Otherwise the next attempt would find the folder and take its entry for durable (invariant 2). It is empty, or
            // another process has it and this fails.
            _ = files.removeFolder(name, in: parent)
            throw StoreError.externalData(code, name: name, in: storeURL)
        }
        let made = files.open(name, in: parent, flags, mode: 0)
        if made < 0, errno == ENOENT { return nil }
        guard made >= 0 else { throw StoreError.externalData(errno, name: name, in: storeURL) }
        return made
    }

    // MARK: Reading

    func data(of identifier: UUID) throws -> Data {
        let name = identifier.uuidString
        guard let file = try openFile(of: identifier) else { throw StoreError.missingExternalData(name, in: storeURL) }
        defer { files.close(file) }
        return try read(size(ofFile: file, name), from: file, name: name)
    }

    /// Opens the file of a value, and returns its descriptor; `nil` if there is none.
    func openFile(of identifier: UUID) throws -> Int32? {
        let name = identifier.uuidString
        guard let folder = try open(creating: false) else { return nil }
        // Non-blocking: opening a pipe in place of a file would otherwise wait.
        let file = files.open(name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode: 0)
        if file >= 0 { return file }
        if errno == ENOENT { return nil }
        throw StoreError.externalData(errno, name: name, in: storeURL)
    }

    /// Returns the size of an open file, if it is one that can be a value.
    func size(ofFile file: Int32, _ name: String) throws -> Int {
        var status = stat()
        guard files.examine(file, &status) == 0 else { throw StoreError.externalData(errno, name: name, in: storeURL) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError.externalDataIsNoFile(name, in: storeURL) }
        guard status.st_size < RowFormat.maximumSize else {
            throw StoreError.externalData(EFBIG, name: name, in: storeURL)
        }
        return Int(status.st_size)
    }

    private func read(_ size: Int, from file: Int32, name: String) throws -> Data {
        var data = Data(count: size)
        var count = 0
        while count < size {
            let result = data.withUnsafeMutableBytes {
                files.read(file, into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw StoreError.externalData(errno, name: name, in: storeURL) }
            // Shorter than its size: the file is being truncated while it is read.
            if result == 0 { throw StoreError.externalData(EIO, name: name, in: storeURL) }
            count += result
        }
        return data
    }
}

extension SQLiteStore {
    /// Returns the folder of the values that a store keeps outside of its file.
    package static func externalDataFolder(ofStoreAt url: URL) -> URL { ExternalDataFolder.filesURL(of: url) }
}
