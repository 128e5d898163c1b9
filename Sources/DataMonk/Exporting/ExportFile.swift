import DataMonkCore
import DataMonkSQLite
import Foundation

/// **Confined.** A file in the making. It appears at its place with one step, when it is complete and on disk.
///
/// ```
/// .people.json.<UUID>     until then, a long name shortened; a process that is killed leaves it, and nothing reads it
/// people.json             from then on
/// ```
final class ExportFile {
    private let url: URL
    private let replaces: Bool
    private let path: String
    private let partialPath: String
    private let file: Int32
    private let files = SystemFileCalls.inUse.withLock { $0 }
    private var isPublished = false

    /// Creates the file beside its place.
    ///
    /// - Throws: ``FormatError`` with the code `fileExists` if there is one that is not to be replaced, `unwritableFile` if
    ///   the folder is missing or cannot be written to.
    init(at url: URL, replaces: Bool) throws {
        guard url.isFileURL, !url.path.utf8.contains(0) else {
            throw FormatError(.unwritableFile, "\(url.absoluteString) is no URL of a file. Pass one.")
        }
        self.url = url
        self.replaces = replaces
        // Replaces the destination of a link, not the link.
        let place = url.resolvingSymlinksInPath()
        path = place.path
        let name = ".\(Self.shortened(place.lastPathComponent)).\(UUID().uuidString)"
        partialPath = place.deletingLastPathComponent().appending(path: name).path
        let mode = try Self.modeOfReplacedFile(url, path, files, replaces: replaces)
        file = files.open(
            partialPath, in: AT_FDCWD, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: mode ?? 0o666)
        if file < 0 { throw Self.failure(errno, action: "created", url: url) }
        // The process's mask has narrowed the mode, if anything: nobody else could have opened the file meanwhile.
        if let mode, fchmod(file, mode) != 0 {
            throw Self.failure(errno, action: "given the permissions of the old one", url: url)
        }
    }

    deinit {
        if file < 0 { return }
        files.close(file)
        if !isPublished { _ = files.remove(partialPath, in: AT_FDCWD) }
    }

    /// Returns the beginning of a name that leaves room for more: file systems have names of 255 bytes.
    private static func shortened(_ name: String) -> String {
        var name = name
        while name.utf8.count > 200 { name.removeLast() }
        return name
    }

    /// Returns the permissions of the file that is to be replaced, which the new one gets; `nil` if there is none.
    private static func modeOfReplacedFile(
        _ url: URL, _ path: String, _ files: any FileCalls, replaces: Bool
    ) throws -> mode_t? {
        var status = stat()
        guard files.examine(path, in: AT_FDCWD, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure(errno, action: "examined", url: url)
        }
        guard replaces else { throw exists(url) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FormatError(
                .unwritableFile,
                "\(url.lastPathComponent) is no regular file, and is not replaced. Choose another place.")
        }
        return status.st_mode & 0o777
    }

    /// Appends bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var written = 0
        while written < bytes.count {
            let count = files.write(UnsafeRawBufferPointer(rebasing: bytes[written...]), to: file)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(count == 0 ? ENOSPC : errno, action: "written", url: url) }
            written += count
        }
    }

    /// Puts the file at its place.
    ///
    /// - Throws: ``FormatError`` with the code `fileExists` if one has appeared there that is not to be replaced;
    ///   `unwritableFile`, which says so if the file is at its place.
    func publish() throws {
        guard files.synchronize(file) == 0 else { throw Self.failure(errno, action: "synced", url: url) }
        if replaces {
            guard files.rename(partialPath, to: path, in: AT_FDCWD) == 0 else {
                throw Self.failure(errno, action: "replaced", url: url)
            }
        } else if files.link(partialPath, to: path, in: AT_FDCWD) == 0 {
            _ = files.remove(partialPath, in: AT_FDCWD)
        } else if errno == EEXIST || files.renameExclusively(partialPath, to: path, in: AT_FDCWD) != 0 {
            // Some volumes have no links.
            throw errno == EEXIST ? Self.exists(url) : Self.failure(errno, action: "created", url: url)
        }
        isPublished = true
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let opened = files.open(folder, in: AT_FDCWD, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        // A folder without the permission to read it cannot be synced.
        if opened < 0 { return }
        defer { files.close(opened) }
        guard files.synchronize(opened) == 0 else { throw Self.notDurable(errno, url) }
    }

    /// The error of a file that stays at its place, since the one that it has replaced cannot be brought back.
    private static func notDurable(_ code: Int32, _ url: URL) -> FormatError {
        FormatError(
            .unwritableFile,
            """
            \(url.lastPathComponent) is written and at its place, but its folder could not be synced: \
            \(String(cString: strerror(code))). A loss of power may take the file away. Check the disk and export again.
            """, underlyingError: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
    }

    private static func exists(_ url: URL) -> FormatError {
        FormatError(
            .fileExists,
            """
            There is a file \(url.lastPathComponent) already, which is not replaced. Choose another name, or allow that it is \
            replaced.
            """)
    }

    private static func failure(_ code: Int32, action: String, url: URL) -> FormatError {
        FormatError(
            .unwritableFile,
            """
            \(url.lastPathComponent) could not be \(action): \(String(cString: strerror(code))). Check the folder and the space \
            on the disk.
            """, underlyingError: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
    }
}

@available(*, unavailable)
extension ExportFile: Sendable {}
