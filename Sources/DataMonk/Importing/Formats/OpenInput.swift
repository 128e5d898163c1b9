import DataMonkSQLite
import Foundation

/// **Shared.** A file that is open for reading. It is closed when nobody has it any more.
///
/// Reading may wait, for the other end of a pipe. ``stop()`` ends that, so that nothing is read any more which nobody would get.
final class OpenInput: Sendable {
    /// The name of the file, for messages.
    private let name: String
    private let file: Int32
    /// A pipe of its own: a byte in it ends a wait.
    private let stops: (read: Int32, write: Int32)
    private let files = SystemFileCalls.inUse.withLock { $0 }

    convenience init(_ url: URL) throws {
        guard url.isFileURL, !url.path.utf8.contains(0) else {
            throw FormatError(.unreadableFile, "\(url.absoluteString) is no URL of a file. Pass one, or data.")
        }
        try self.init(url.lastPathComponent) { $0.open(url.path, in: AT_FDCWD, O_RDONLY | O_CLOEXEC, mode: 0) }
    }

    /// Returns the standard input. If it were opened by its path, a file would be read from its beginning, whatever has been
    /// read of it, and a socket or a file of another user could not be opened at all.
    static func standardInput() throws -> OpenInput { try OpenInput("The standard input") { _ in dup(STDIN_FILENO) } }

    private init(_ name: String, open: (any FileCalls) -> Int32) throws {
        self.name = name
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { ends = [-1, -1] }
        let pipeError = errno
        stops = (ends[0], ends[1])
        file = stops.read < 0 ? -1 : open(files)
        if file < 0 { throw Self.failure(stops.read < 0 ? pipeError : errno, action: "opened", name: name) }
        for opened in [file] + ends { _ = fcntl(opened, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        if file >= 0 { files.close(file) }
        if stops.read >= 0 { for end in [stops.read, stops.write] { _ = close(end) } }
    }

    /// Ends a wait for bytes, and all later ones.
    func stop() {
        var byte: UInt8 = 0
        _ = write(stops.write, &byte, 1)
    }

    /// Returns the next bytes; none at the end of the file, and once it is stopped.
    func read(upTo count: Int) throws -> [UInt8] {
        if !waitForBytes() { return [] }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while true {
                let part = files.read(file, into: UnsafeMutableRawBufferPointer(buffer))
                if part < 0, errno == EINTR { continue }
                if part < 0 { throw Self.failure(errno, action: "read", name: name) }
                filled = part
                return
            }
        }
    }

    /// Waits until there are bytes, or an end or an error instead. Returns `false` if it is stopped.
    private func waitForBytes() -> Bool {
        var polled = [file, stops.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, nfds_t(polled.count), -1) < 0, errno == EINTR {}
        return polled[1].revents == 0
    }

    private static func failure(_ code: Int32, action: String, name: String) -> FormatError {
        let reason = String(cString: strerror(code))
        let remedy = code == ENOENT ? "Pass the location of a file that exists." : "Check the file and its permissions."
        return FormatError(
            .unreadableFile, "\(name) could not be \(action): \(reason). \(remedy)",
            underlyingError: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
    }
}
