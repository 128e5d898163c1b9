import DataMonkCore
import Foundation

/// **Shared.** The right to make a store at a place. One copy at a time has it, in this process or another.
///
/// ```
/// .Shop_SUPPORT.lock    locked by who makes Shop.sqlite, or another store with that folder for external data
///
/// DataMonk              the first line
/// folder                the folder for external data is new
/// made <UUID>           a file by that name is about to be made: the database, or one of external data
/// settled               what was made so far has an owner, or is gone
/// ```
/// The system takes the lock from a process that ends. Its file stays then, and tells the next holder what it may remove:
/// nothing else that lies there is touched. A holder that comes to its end removes the file. Each line is appended by one call,
/// on whatever thread a file is made.
final class TargetReservation: Sendable {
    /// **Value.** The files of a holder whose process ended before the store was complete.
    struct Remains {
        var names: Set<UUID> = []
        var hasFolder = false
    }

    private static let title = "DataMonk"
    private static let maximumAttempts = 100

    private let path: String
    private let file: Int32
    private let files = SystemFileCalls.inUse.withLock { $0 }
    /// Set by `init` alone.
    private let found = Locked(Remains())
    /// The files of the holder before this one, unless it came to an end.
    var remains: Remains { found.withLock { $0 } }

    /// Reserves a place, and makes the folders that are missing above it.
    ///
    /// - Throws: ``StoreError`` with the code `fileExists` if somebody is making a store there.
    init(of url: URL) throws {
        let folder = ExternalDataFolder.url(of: url)
        let lockURL = folder.deletingLastPathComponent().appendingPathComponent("\(folder.lastPathComponent).lock")
        path = lockURL.path
        file = try StoreError.translatingFailures(of: url) { [files, path] in
            for _ in 0..<Self.maximumAttempts {
                try DatabaseFile(lockURL).createIfMissing()
                let file = files.open(
                    path, in: AT_FDCWD, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode: 0)
                // The holder before has just removed it.
                if file < 0, errno == ENOENT { continue }
                guard file >= 0 else {
                    throw SQLiteFailure.system(errno, doing: "“\(path)” could not be opened", operation: .copy)
                }
                do {
                    try Self.lock(file, files, path, url)
                    if try Self.isInPlace(file, files, path) { return file }
                } catch {
                    files.close(file)
                    throw error
                }
                files.close(file)
            }
            throw StoreError.reservedTarget(url, path)
        }
        let list = try text(url)
        // A process that is killed while it writes a line leaves the beginning of it.
        let title = Self.title + "\n"
        if title != list, title.hasPrefix(list) {
            do {
                try append(title.dropFirst(list.count))
            } catch {
                release()
                throw error
            }
        } else {
            guard list.hasPrefix(title) else { throw StoreError.foreignReservation(url, path) }
            found.withLock { $0 = Self.remains(in: list) }
            if !list.hasSuffix("\n") { try append("\n") }
        }
    }

    deinit { files.close(file) }

    private static func lock(_ file: Int32, _ files: any FileCalls, _ path: String, _ url: URL) throws {
        while files.lock(file, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: throw StoreError.reservedTarget(url, path)
            default: throw SQLiteFailure.system(errno, doing: "“\(path)” could not be locked", operation: .copy)
            }
        }
    }

    /// Returns `false` if the file was removed by the holder before, while this one opened it.
    private static func isInPlace(_ file: Int32, _ files: any FileCalls, _ path: String) throws -> Bool {
        var (own, found) = (stat(), stat())
        guard files.examine(file, &own) == 0 else {
            throw SQLiteFailure.system(errno, doing: "“\(path)” could not be examined", operation: .copy)
        }
        guard files.examine(path, in: AT_FDCWD, &found) == 0 else {
            if errno == ENOENT { return false }
            throw SQLiteFailure.system(errno, doing: "“\(path)” could not be examined", operation: .copy)
        }
        return FileIdentity(own) == FileIdentity(found)
    }

    // MARK: The list

    /// Notes that a file is about to be made.
    func noteFile(_ name: UUID) throws { try note("made \(name.uuidString)") }

    /// Notes that the folder for external data is about to be made.
    func noteFolder() throws { try note("folder") }

    /// Notes that nothing that was made so far is to be removed any more.
    func settle() throws { try note("settled") }

    private func note(_ line: String) throws { try append("\(line)\n") }

    private func append(_ text: some StringProtocol) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { files.write($0, to: file) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw SQLiteFailure.system(
                    count < 0 ? errno : EIO, doing: "“\(path)” could not be written", operation: .copy)
            }
            bytes = bytes.dropFirst(count)
        }
    }

    private func text(_ url: URL) throws -> String {
        var status = stat()
        guard files.examine(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError.foreignReservation(url, path)
        }
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = bytes.withUnsafeMutableBytes { files.read(file, into: $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw SQLiteFailure.system(errno, doing: "“\(path)” could not be read", operation: .copy)
            }
            if count == 0 { return String(decoding: text, as: UTF8.self) }
            text += bytes[..<count]
        }
    }

    private static func remains(in list: String) -> Remains {
        var remains = Remains()
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ")
            switch words.first {
            case "settled": remains = Remains()
            case "folder": remains.hasFolder = true
            case "made":
                if let name = words.last.flatMap({ UUID(uuidString: String($0)) }) { remains.names.insert(name) }
            default: break
            }
        }
        return remains
    }

    // MARK: The end

    /// Lets others make a store there. Nothing that was made is in the making any more.
    func release() {
        // Before the lock is given up, so that nobody else's file is removed.
        _ = files.remove(path, in: AT_FDCWD)
        _ = files.lock(file, LOCK_UN)
    }
}

extension StoreError {
    fileprivate static func reservedTarget(_ url: URL, _ path: String) -> StoreError {
        let names = LockHolder.holders(ofFileAt: path).map(\.description).joined(separator: " and ")
        return StoreError(
            .fileExists,
            """
            \(url.lastPathComponent), or a store that shares its folder for external data, is being made \
            by \(names.isEmpty ? "somebody else" : names). Wait for the end, or choose another name.
            """, storeURL: url)
    }

    fileprivate static func foreignReservation(_ url: URL, _ path: String) -> StoreError {
        StoreError(
            .fileExists,
            """
            \(path) is in the way of making \(url.lastPathComponent), and is not a file of this library. Move it away, or \
            choose another name.
            """, storeURL: url)
    }
}
