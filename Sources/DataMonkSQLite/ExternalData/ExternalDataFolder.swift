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
/// store open: see `sweep`.
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
    /// The folder's descriptor; -1 until it is first needed, and while there is none. Whoever has it holds a shared lock on
    /// the folder, which tells sweepers that the store is open.
    private let descriptor = Locked<Int32>(-1)
    /// Whether files may have lost their rows since the store was opened.
    private let mayHoldOrphans = Locked(false)

    init(storeURL: URL, directory: ObjectDirectory, number: UInt32) {
        self.storeURL = storeURL
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

    private var folderName: String { ".\(storeURL.deletingPathExtension().lastPathComponent)_SUPPORT" }

    /// The folder beside a store file.
    static func url(of storeURL: URL) -> URL {
        storeURL.deletingLastPathComponent()
            .appendingPathComponent(".\(storeURL.deletingPathExtension().lastPathComponent)_SUPPORT")
    }

    /// The descriptor of the folder, nil if there is none and none is to be made.
    func open(creating: Bool) throws -> Int32? {
        try descriptor.withLock { descriptor in
            if descriptor >= 0 { return descriptor }
            guard let opened = try openFolder(creating: creating) else { return nil }
            flock(opened, LOCK_SH)
            descriptor = opened
            return opened
        }
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
        return try openSubfolder("_EXTERNAL_DATA", of: support, creating: creating)
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
