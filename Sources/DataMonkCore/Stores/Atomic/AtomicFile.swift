package import Foundation

/// **Shared.** A file that is read as a whole and replaced as a whole.
///
/// ```
/// Shop.xml              the former contents, until the last step of a save
/// .Shop.xml.saving      the new contents in the making, locked by who makes them
/// ```
/// A save writes and syncs the second file, gives it the name of the first one, and syncs the folder. So a process that is
/// killed leaves the former contents or the new ones; what it leaves of the second file, the next save removes.
///
/// Before the last step the first file must be the one that was read: no save overwrites what others have written since.
package final class AtomicFile: Sendable {
    /// **Value.** The marks that tell a file's contents from others without reading them.
    private struct Stamp: Equatable {
        let device: UInt64
        let number: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
            size = Int64(status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            seconds = Int64(time.tv_sec)
            nanoseconds = Int64(time.tv_nsec)
        }
    }

    /// **Value.** The contents that this process knows.
    private struct Known {
        let stamp: Stamp
        /// A number for the contents, of use in this process only.
        let digest: Int
        let mode: mode_t
    }

    private static let maximumAttempts = 100

    package let url: URL
    private let path: String
    private let partialPath: String
    private let maximumSize: Int
    private let files: any FileCalls
    /// `nil` while there is no file, as far as this process knows.
    private let known = Locked<Known?>(nil)

    /// - Parameters:
    ///   - url: The place of the file. A link is followed.
    ///   - maximumSize: The largest number of bytes that is read or written.
    package init(_ url: URL, maximumSize: Int, files: any FileCalls) throws {
        guard url.isFileURL, !url.path.utf8.contains(0) else {
            throw StoreError(.openFailed, "\(url.absoluteString) is no URL of a file. Pass one.", storeURL: url)
        }
        self.url = url
        self.maximumSize = maximumSize
        self.files = files
        let place = url.resolvingSymlinksInPath()
        path = place.path
        partialPath = place.deletingLastPathComponent().appending(path: ".\(place.lastPathComponent).saving").path
    }

    private static func digest(of bytes: Data) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    // MARK: Reading

    /// Returns the contents of the file, or `nil` if there is none.
    package func read() throws -> Data? {
        guard let (bytes, found) = try readFile() else {
            known.withLock { $0 = nil }
            return nil
        }
        known.withLock { $0 = found }
        return bytes
    }

    private func readFile() throws -> (Data, Known)? {
        // Without O_NONBLOCK, a pipe would wait for its other end.
        let file = files.open(path, in: AT_FDCWD, O_RDONLY | O_CLOEXEC | O_NONBLOCK, mode: 0)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(errno, "opened", isReading: true)
        }
        defer { files.close(file) }
        let before = try examine(file)
        guard before.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(
                .openFailed, "\(url.lastPathComponent) is not a regular file. Pass the location of one.", storeURL: url)
        }
        guard before.st_size <= maximumSize else { throw tooLarge(Int(before.st_size)) }
        let bytes = try readBytes(of: file, count: Int(before.st_size))
        guard try Stamp(examine(file)) == Stamp(before), bytes.count == before.st_size else {
            throw StoreError(
                .locked,
                "\(url.lastPathComponent) is being written to by another program. Open it when that has ended.",
                storeURL: url)
        }
        return (bytes, Known(stamp: Stamp(before), digest: Self.digest(of: bytes), mode: before.st_mode & 0o777))
    }

    private func examine(_ file: Int32) throws -> stat {
        var status = stat()
        guard files.examine(file, &status) == 0 else { throw failure(errno, "examined", isReading: true) }
        return status
    }

    private func readBytes(of file: Int32, count: Int) throws -> Data {
        var bytes = Data(count: count)
        var filled = 0
        try bytes.withUnsafeMutableBytes { buffer in
            while filled < count {
                let part = files.read(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                if part < 0, errno == EINTR { continue }
                if part < 0 { throw failure(errno, "read", isReading: true) }
                if part == 0 { break }
                filled += part
            }
        }
        return bytes.prefix(filled)
    }

    // MARK: Writing

    /// Replaces the contents of the file.
    ///
    /// - Throws: ``StoreError`` if the file cannot be written, or if it is not the one that was read; it is then as it was.
    ///   `UnconfirmedSave` if it was replaced, but the folder could not be synced.
    package func write(_ bytes: Data) throws {
        guard bytes.count <= maximumSize else { throw tooLarge(bytes.count) }
        let file = try openPartial()
        defer { files.close(file) }
        let saved: Known
        do {
            let mode = try requireKnownContents()
            try write(bytes, to: file)
            guard files.synchronize(file) == 0 else { throw failure(errno, "synced") }
            saved = Known(stamp: Stamp(try examine(file)), digest: Self.digest(of: bytes), mode: mode)
            // Again: the first time spares the writing, this time is the one that counts.
            _ = try requireKnownContents()
            guard files.rename(partialPath, to: path, in: AT_FDCWD) == 0 else { throw failure(errno, "replaced") }
        } catch {
            _ = files.remove(partialPath, in: AT_FDCWD)
            throw error
        }
        known.withLock { $0 = saved }
        try synchronizeFolder()
    }

    /// Creates the file of the new contents and locks it.
    private func openPartial() throws -> Int32 {
        let mode = known.withLock { $0?.mode } ?? 0o600
        for _ in 0..<Self.maximumAttempts {
            var file = create(mode)
            if file < 0, errno == ENOENT {
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                file = create(mode)
            }
            let isNew = file >= 0
            if !isNew, errno == EEXIST {
                file = files.open(partialPath, in: AT_FDCWD, O_WRONLY | O_CLOEXEC | O_NOFOLLOW, mode: 0)
                // Somebody else has saved.
                if file < 0, errno == ENOENT { continue }
            }
            guard file >= 0 else { throw failure(errno, "created") }
            guard files.lock(file, LOCK_EX | LOCK_NB) == 0 else {
                files.close(file)
                throw StoreError(
                    .locked, "\(url.lastPathComponent) is being saved by another program or stack. Save again.",
                    storeURL: url)
            }
            // Until the lock was taken, somebody else may have removed it as a leftover, and made another one.
            let isNamed = isNamed(file)
            if isNew, isNamed {
                // Without what the process's mask takes away.
                fchmod(file, mode)
                return file
            }
            // Left by a process that ended while it saved.
            if isNamed { _ = files.remove(partialPath, in: AT_FDCWD) }
            files.close(file)
        }
        throw failure(EEXIST, "created")
    }

    /// Returns `true` if an open file is the one by the name of the new contents. Who has its lock keeps it so.
    private func isNamed(_ file: Int32) -> Bool {
        var (own, found) = (stat(), stat())
        guard files.examine(file, &own) == 0, files.examine(partialPath, in: AT_FDCWD, &found) == 0 else {
            return false
        }
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }

    private func create(_ mode: mode_t) -> Int32 {
        files.open(partialPath, in: AT_FDCWD, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: mode)
    }

    /// Returns the permissions of the file, for the new one.
    ///
    /// - Throws: ``StoreError`` with the code `fileMoved` if there is another file, or other contents, than this process knows.
    private func requireKnownContents() throws -> mode_t {
        let known = known.withLock { $0 }
        var status = stat()
        guard files.examine(path, in: AT_FDCWD, &status) == 0 else {
            guard errno == ENOENT else { throw failure(errno, "examined") }
            if known == nil { return 0o600 }
            throw conflict("was moved or deleted")
        }
        guard let known else { throw conflict("was created") }
        let mode = status.st_mode & 0o777
        if Stamp(status) == known.stamp { return mode }
        // A copy that was put back, or a file that was only touched, has the same contents.
        guard let (_, found) = try readFile(), found.digest == known.digest else { throw conflict("was changed") }
        return mode
    }

    /// Removes the file, unless it is not the one that was read, and what a process has left that ended while it saved.
    ///
    /// - Throws: ``StoreError`` with the code `locked` while somebody saves the file.
    func remove() throws {
        let file = try openPartial()
        defer {
            _ = files.remove(partialPath, in: AT_FDCWD)
            files.close(file)
        }
        _ = try requireKnownContents()
        guard files.remove(path, in: AT_FDCWD) == 0 || errno == ENOENT else { throw failure(errno, "removed") }
        known.withLock { $0 = nil }
    }

    private func write(_ bytes: Data, to file: Int32) throws {
        try bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = files.write(UnsafeRawBufferPointer(rebasing: buffer[written...]), to: file)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure(count == 0 ? ENOSPC : errno, "written") }
                written += count
            }
        }
    }

    private func synchronizeFolder() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let file = files.open(folder, in: AT_FDCWD, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        guard file >= 0 else {
            // A folder without the permission to read it cannot be synced, which is no reason to refuse a store.
            if errno == EACCES { return }
            throw UnconfirmedSave(cause: failure(errno, "synced with its folder"))
        }
        defer { files.close(file) }
        guard files.synchronize(file) == 0 else {
            throw UnconfirmedSave(cause: failure(errno, "synced with its folder"))
        }
    }
}

extension AtomicFile {
    private func tooLarge(_ size: Int) -> StoreError {
        StoreError(
            .operationFailed,
            """
            \(url.lastPathComponent) has \(size) bytes, but a file of its kind is held in memory as a whole and may have \
            at most \(maximumSize). Keep the data in a database file.
            """, storeURL: url)
    }

    private func conflict(_ deed: String) -> StoreError {
        StoreError(
            .fileMoved,
            """
            \(url.lastPathComponent) \(deed) by another program or stack since it was read, so nothing was saved. Keep \
            the unsaved changes, open the file in a new Stack, and make them there. Programs that share a file need a \
            database file.
            """, storeURL: url)
    }

    private func failure(_ code: Int32, _ deed: String, isReading: Bool = false) -> StoreError {
        let (kind, remedy): (StoreError.Code, String) =
            switch code {
            case ENOSPC, EDQUOT: (.outOfSpace, "Free some space, and try again")
            case EACCES, EPERM:
                isReading
                    ? (.noReadPermission, "Check the permissions of the file and its folder")
                    : (.noWritePermission, "Check the permissions of the folder, where the new file is made")
            case EROFS: (.readOnly, "Pass readOnly: true, or move the file to a volume that can be written to")
            default: (isReading ? .readFailed : .writeFailed, "Check the disk, and try again")
            }
        return StoreError(
            kind, "\(url.lastPathComponent) could not be \(deed): \(String(cString: strerror(code))). \(remedy).",
            storeURL: url)
    }
}
