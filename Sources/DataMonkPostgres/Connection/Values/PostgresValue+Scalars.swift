#if Postgres
    package import Foundation

    // Integers, floating-point numbers, Booleans, UUIDs, text and binary data.

    extension PostgresValue where Self: FixedWidthInteger {
        package func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: self) }

        package init(postgresBytes bytes: UnsafeRawBufferPointer) throws(PostgresValueError) {
            guard bytes.count == MemoryLayout<Self>.size, let value = bytes.bigEndian(Self.self) else {
                throw .malformed(type: Self.postgresType.name)
            }
            self = value
        }
    }

    extension Int16: PostgresValue {
        package static var postgresType: PostgresType { .int2 }
    }

    extension Int32: PostgresValue {
        package static var postgresType: PostgresType { .int4 }
    }

    extension Int64: PostgresValue {
        package static var postgresType: PostgresType { .int8 }
    }

    /// NaN and the infinities are values of both sides.
    extension Float: PostgresValue {
        package static var postgresType: PostgresType { .float4 }
        package func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: bitPattern) }

        package init(postgresBytes bytes: UnsafeRawBufferPointer) throws(PostgresValueError) {
            guard bytes.count == 4, let pattern = bytes.bigEndian(UInt32.self) else {
                throw .malformed(type: Self.postgresType.name)
            }
            self.init(bitPattern: pattern)
        }
    }

    /// NaN and the infinities are values of both sides.
    extension Double: PostgresValue {
        package static var postgresType: PostgresType { .float8 }
        package func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: bitPattern) }

        package init(postgresBytes bytes: UnsafeRawBufferPointer) throws(PostgresValueError) {
            guard bytes.count == 8, let pattern = bytes.bigEndian(UInt64.self) else {
                throw .malformed(type: Self.postgresType.name)
            }
            self.init(bitPattern: pattern)
        }
    }

    extension Bool: PostgresValue {
        package static var postgresType: PostgresType { .bool }
        package func encode(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }

        package init(postgresBytes bytes: UnsafeRawBufferPointer) throws(PostgresValueError) {
            guard bytes.count == 1, bytes[0] <= 1 else { throw .malformed(type: Self.postgresType.name) }
            self = bytes[0] == 1
        }
    }

    extension UUID: PostgresValue {
        package static var postgresType: PostgresType { .uuid }
        package func encode(into bytes: inout [UInt8]) { withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) } }

        package init(postgresBytes bytes: UnsafeRawBufferPointer) throws(PostgresValueError) {
            guard bytes.count == 16 else { throw .malformed(type: Self.postgresType.name) }
            self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }

    /// Text with a NUL is refused: PostgreSQL cannot represent it.
    extension String: PostgresValue {
        package static var postgresType: PostgresType { .text }

        package func encode(into bytes: inout [UInt8]) throws(PostgresValueError) {
            if utf8.contains(0) { throw .nulCharacter }
            bytes.append(contentsOf: utf8)
        }

        package init(postgresBytes bytes: UnsafeRawBufferPointer) throws(PostgresValueError) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw .malformed(type: Self.postgresType.name)
            }
            self = text
        }
    }

    extension Data: PostgresValue {
        package static var postgresType: PostgresType { .bytea }
        package func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: self) }
        package init(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(bytes) }
    }
#endif
