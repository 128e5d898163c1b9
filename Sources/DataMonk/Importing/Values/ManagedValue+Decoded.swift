import DataMonkCore
import Foundation

extension ManagedValue {
    /// Creates a value from one as decoders make them.
    ///
    /// - Parameters:
    ///   - name: The name or key path of the value, for the error.
    ///   - depth: The number of arrays and dictionaries around the value, that of the row included.
    /// - Throws: ``ImportError`` with the code `invalidValue` for a value of any other type, and for values that are nested
    ///   more deeply than those of JSON may be.
    init(decoded value: Any, named name: String, depth: Int = 1) throws(ImportError) {
        if depth > JSONParser.maximumDepth { throw .deepValue(named: name) }
        switch value {
        case let text as String: self = .string(text)
        case let number as Int: self = .int(Int64(number))
        case let number as Double: self = .double(number)
        case let flag as Bool: self = .bool(flag)
        case let value as ManagedValue: self = value
        case is NSNull: self = .null
        case let optional as any OptionalValue where optional.isNone: self = .null
        case let values as [String: Any]:
            var converted: [String: ManagedValue] = [:]
            converted.reserveCapacity(values.count)
            for (key, value) in values {
                converted[key] = try ManagedValue(decoded: value, named: "\(name).\(key)", depth: depth + 1)
            }
            self = .dictionary(converted)
        case let values as [Any]:
            var converted: [ManagedValue] = []
            converted.reserveCapacity(values.count)
            for value in values { converted.append(try ManagedValue(decoded: value, named: name, depth: depth + 1)) }
            self = .list(converted)
        case let value as any ManagedAttribute: self = value.managedValue
        case let number as any BinaryInteger: self = .init(integer: number)
        case let number as NSNumber: self = .init(number: number)
        default: throw .unknownType(type(of: value), named: name)
        }
    }

    private init(integer: some BinaryInteger) {
        // UInt64 and wider integers go beyond Int64; what no attribute can hold is refused there.
        self = Int64(exactly: integer).map { .int($0) } ?? .decimal(Decimal(string: "\(integer)") ?? .nan)
    }

    private init(number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .bool(number.boolValue)
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"): self = .init(integer: number.uint64Value)
        default: self = .int(number.int64Value)
        }
    }
}

/// An optional of any type.
private protocol OptionalValue {
    var isNone: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNone: Bool { self == nil }
}

extension ImportError {
    /// Returns the error of a value inside of more arrays and dictionaries than are followed.
    static func deepValue(named name: String) -> ImportError {
        ImportError(
            .invalidValue,
            """
            The value at \(name.prefix(80)) is inside of more than \(JSONParser.maximumDepth) arrays and dictionaries. Keep \
            the inner ones as text.
            """, key: name)
    }

    fileprivate static func unknownType(_ type: Any.Type, named name: String) -> ImportError {
        ImportError(
            .invalidValue,
            """
            \(name) is a \(type), which no attribute holds. Pass numbers, texts, dates, data, UUIDs and URLs, and arrays \
            and dictionaries of such.
            """, key: name)
    }
}
