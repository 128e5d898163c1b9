#if Postgres
    import DataMonkCore
    import Foundation

    /// **Shared.** A request to stop waiting for the server, from any thread.
    ///
    /// It is a pipe, so that a thread can wait for it and for a socket at once. Once triggered, it stays so until
    /// `reset()`.
    package final class PostgresInterrupt: Sendable {
        /// Readable while the interrupt is triggered.
        let descriptor: Int32
        private let input: Int32
        private let isSet = Locked(false)

        /// Throws the system's error if the process has no descriptors left.
        package init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
            (descriptor, input) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }

        deinit {
            close(descriptor)
            close(input)
        }

        /// A Boolean value indicating whether waits end at once.
        package var isTriggered: Bool { isSet.withLock { $0 } }

        /// Stops the current wait, and each one until `reset()`.
        package func trigger() {
            isSet.withLock { isSet in
                guard !isSet else { return }
                isSet = true
                // An empty pipe has room for a byte.
                var byte: UInt8 = 1
                while write(input, &byte, 1) == -1, errno == EINTR {}
            }
        }

        /// Makes the interrupt usable for another operation.
        package func reset() {
            isSet.withLock { isSet in
                guard isSet else { return }
                isSet = false
                var byte: UInt8 = 0
                while read(descriptor, &byte, 1) == -1, errno == EINTR {}
            }
        }
    }
#endif
