#if Postgres
    import CPostgres
    import Foundation

    extension PostgresConnection {
        /// Returns whether there is input now. The end of the connection is some.
        func hasInput(_ handle: OpaquePointer) -> Bool {
            Self.hasDecryptedInput(handle) || SocketWait.isReadable(PQsocket(handle))
        }

        /// Blocks until there is input or, on request, room for output.
        func waitForInput(_ handle: OpaquePointer, within wait: SocketWait, writing: Bool = false) -> SocketWait.Outcome
        {
            if Self.hasDecryptedInput(handle), ContinuousClock.now < wait.deadline {
                return .ready(readable: true, writable: false)
            }
            return wait.wait(for: PQsocket(handle), writing: writing)
        }

        /// Reads all input that is there.
        ///
        /// Throws a ``PostgresFailure`` if the connection is lost. Answers that were read before can still be taken.
        func consumeInput(_ handle: OpaquePointer) throws(PostgresFailure) {
            repeat {
                guard PQconsumeInput(handle) != 0 else { throw lostConnection(handle) }
            } while Self.hasDecryptedInput(handle)
        }

        /// Returns the failure of a connection that ended, with the server's reason if it gave one.
        func lostConnection(_ handle: OpaquePointer) -> PostgresFailure {
            let failure = PostgresFailure.lost(handle)
            // Lets libpq look at what it has read, which may be the reason.
            _ = PQisBusy(handle)
            return notices.lastWords ?? failure
        }

        /// Returns whether OpenSSL has decrypted bytes that libpq did not take.
        ///
        /// A workaround for libpq 15, and others: PQconsumeInput may take 8 KB of a TLS record of 16 KB. The rest is then
        /// in OpenSSL's memory, and a wait for the socket never ends. The server sends records of 8 KB before version 17,
        /// but proxies do not. Remove it once libpq takes whole records.
        private static func hasDecryptedInput(_ handle: OpaquePointer) -> Bool {
            guard let session = PQsslStruct(handle, "OpenSSL"), let pendingByteCount else { return false }
            return pendingByteCount(session) > 0
        }

        private typealias PendingByteCount = @convention(c) (UnsafeMutableRawPointer) -> Int32

        /// OpenSSL's `SSL_pending`, from the library that libpq has loaded; `nil` without OpenSSL.
        private static let pendingByteCount: PendingByteCount? = {
            guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "SSL_pending") else { return nil }
            // The cast that dlsym is made for; the signature is OpenSSL's since its beginning.
            return unsafeBitCast(symbol, to: PendingByteCount.self)
        }()
    }
#endif
