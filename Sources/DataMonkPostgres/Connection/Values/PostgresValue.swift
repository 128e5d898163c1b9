#if Postgres
    /// A Swift value with a counterpart in PostgreSQL, in the server's binary format.
    ///
    /// All numbers are big-endian. What a type cannot say on the other side is a ``PostgresValueError``, never another
    /// value.
    package protocol PostgresValue: Sendable {
        /// The counterpart.
        static var postgresType: PostgresType { get }

        /// Appends the server's bytes for the value.
        func encode(into bytes: inout [UInt8]) throws(PostgresValueError)

        /// Creates the value from the server's bytes.
        init(postgresBytes bytes: UnsafeRawBufferPointer) throws(PostgresValueError)
    }

    extension [UInt8] {
        /// Appends the bytes of an integer, the most significant first.
        mutating func append(bigEndian value: some FixedWidthInteger) {
            Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
        }
    }

    extension UnsafeRawBufferPointer {
        /// Returns the integer whose bytes begin at `offset`; `nil` behind the end.
        func bigEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int = 0) -> Value? {
            guard offset >= 0, count - offset >= MemoryLayout<Value>.size else { return nil }
            return Value(bigEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
        }
    }
#endif
