import Foundation

/// **Value.** The streams that the program writes to, without a buffer, so that an error is that of the bytes it belongs to.
package enum StandardStream {
    /// Takes the numbers of those streams that the program was started without, so that no other file gets them. To be called
    /// first. A use of such a stream fails, as that of a closed one does.
    package static func reserve() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes to the standard output.
    ///
    /// - Throws: ``CommandError`` if not all of it could be written.
    static func print(_ bytes: Data) throws {
        let code = write(bytes, to: STDOUT_FILENO)
        if code == 0 { return }
        throw CommandError(
            """
            The standard output could not be written: \(String(cString: strerror(code))). Check the disk or the program that \
            it leads to.
            """, .cannotWrite)
    }

    /// Writes a text to the standard error. A failure is ignored, since there is no other place to report it.
    static func report(_ text: String) {
        // A reader that has gone must not end the program before it has its status.
        let former = signal(SIGPIPE, SIG_IGN)
        _ = write(Data(text.utf8), to: STDERR_FILENO)
        _ = signal(SIGPIPE, former)
    }

    /// Writes all bytes. Returns the system's error, or 0.
    private static func write(_ bytes: Data, to file: Int32) -> Int32 {
        bytes.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> Int32 in
            var written = 0
            while written < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                let count = Foundation.write(file, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count == 0 ? ENOSPC : errno }
                written += count
            }
            return 0
        }
    }
}
