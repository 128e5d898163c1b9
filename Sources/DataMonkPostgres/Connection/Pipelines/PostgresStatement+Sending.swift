#if Postgres
    import CPostgres

    extension PostgresStatement {
        /// Gives the statement to libpq. Returns `false` if libpq refuses it.
        func send(to connection: OpaquePointer) -> Bool {
            withValues { count, values, formats in
                PQsendQueryParams(
                    connection, sql, count, parameters.typeIDs, values, parameters.lengths, formats, Self.binary) == 1
            }
        }

        /// Gives the statement's text to libpq, to be prepared. Returns `false` if libpq refuses it.
        func sendPreparation(to connection: OpaquePointer, name: String) -> Bool {
            PQsendPrepare(connection, name, sql, Int32(clamping: parameters.count), parameters.typeIDs) == 1
        }

        /// Gives the statement's values to libpq, for the statement prepared as `name`. Returns `false` if libpq refuses
        /// them.
        func sendValues(to connection: OpaquePointer, name: String) -> Bool {
            withValues { count, values, formats in
                PQsendQueryPrepared(connection, name, count, values, parameters.lengths, formats, Self.binary) == 1
            }
        }

        private static var binary: Int32 { 1 }

        /// Calls `body` with the number, addresses and formats of the values.
        private func withValues(_ body: (Int32, [UnsafePointer<CChar>?], [Int32]) -> Bool) -> Bool {
            parameters.bytes.withUnsafeBytes { bytes in
                var values: [UnsafePointer<CChar>?] = []
                values.reserveCapacity(parameters.count)
                var offset = 0
                for length in parameters.lengths {
                    values.append(length < 0 ? nil : Self.address(in: bytes, at: offset))
                    offset += Int(max(length, 0))
                }
                let formats = [Int32](repeating: Self.binary, count: parameters.count)
                return body(Int32(clamping: parameters.count), values, formats)
            }
        }

        /// Returns an address that is not null, which would mean NULL, even if all values are empty.
        private static func address(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UnsafePointer<CChar>? {
            guard let start = bytes.baseAddress else { return emptyValue }
            return (start + offset).assumingMemoryBound(to: CChar.self)
        }

        // nonisolated(unsafe): never written again, and never freed.
        private nonisolated(unsafe) static let emptyValue: UnsafePointer<CChar> = {
            let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
            byte.initialize(to: 0)
            return UnsafePointer(byte)
        }()
    }
#endif
