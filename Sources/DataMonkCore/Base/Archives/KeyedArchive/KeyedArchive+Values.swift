package import Foundation

// Foundation's own classes in an archive. Each method returns `nil` for a value of another kind.
extension KeyedArchive {
    /// Returns a text: plain, or an `NSMutableString`.
    package mutating func string(_ value: KeyedArchiveValue) throws -> String? {
        switch value {
        case .plain(let plain): plain.stringValue
        case .object(let object): try self.value(of: object, "NS.string").plain?.stringValue
        case .null: nil
        }
    }

    /// Returns the text of a key of an object.
    package mutating func string(of object: KeyedArchiveObject, _ key: String) throws -> String? {
        try string(value(of: object, key))
    }

    /// Returns the elements of an array, a set or an ordered set.
    package mutating func array(_ value: KeyedArchiveValue) throws -> [KeyedArchiveValue]? {
        guard let object = value.object, !object.isKind(of: "NSDictionary") else { return nil }
        return try object.fields["NS.objects"]?.arrayValue.map { try elements($0) }
    }

    /// Returns the entries of a dictionary whose keys are texts, without other entries, in the order of the archive.
    package mutating func dictionary(
        _ value: KeyedArchiveValue
    ) throws -> [(key: String, value: KeyedArchiveValue)]? {
        guard let object = value.object, object.isKind(of: "NSDictionary") else { return nil }
        let keys: [KeyedArchiveValue]
        let values: [KeyedArchiveValue]
        if object.className.hasPrefix("NSKnownKeysDictionary") {
            // Core Data's dictionary with a fixed set of keys, in which a token replaces each missing value.
            guard let mapping = try self.value(of: object, "searchMapping").object else { return nil }
            keys = try array(self.value(of: mapping, "keys")) ?? []
            values = try array(self.value(of: object, "values")) ?? []
        } else {
            keys = try elements(object.fields["NS.keys"]?.arrayValue ?? [])
            values = try elements(object.fields["NS.objects"]?.arrayValue ?? [])
        }
        var entries: [(key: String, value: KeyedArchiveValue)] = []
        for (key, value) in zip(keys, values) {
            guard let key = try string(key) else { continue }
            // Keys are hashed, compared, and told of.
            try takeSteps(for: key)
            entries.append((key, value))
        }
        return entries
    }

    private mutating func elements(_ references: [PropertyListValue]) throws -> [KeyedArchiveValue] {
        try references.map { try value($0) }
    }

    /// Returns an `NSDate`.
    package mutating func date(_ value: KeyedArchiveValue) throws -> Date? {
        switch value {
        case .plain(.date(let date)): date
        case .object(let object): try self.value(of: object, "NS.time").plain?.realValue.map(Date.init(seconds:))
        default: nil
        }
    }

    /// Returns bytes: plain, or an `NSData` or `NSMutableData`.
    package mutating func data(_ value: KeyedArchiveValue) throws -> Data? {
        switch value {
        case .plain(let plain): plain.dataValue
        case .object(let object): try self.value(of: object, "NS.data").plain?.dataValue
        case .null: nil
        }
    }

    /// Returns an `NSUUID`.
    package mutating func uuid(_ value: KeyedArchiveValue) throws -> UUID? {
        guard let object = value.object, let bytes = try self.value(of: object, "NS.uuidbytes").plain?.dataValue,
            bytes.count == 16
        else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns an `NSURL`, combined with its base if it is relative. The base of a base is ignored, since nobody writes
    /// one.
    package mutating func url(_ value: KeyedArchiveValue) throws -> URL? {
        guard let object = value.object, let text = try string(of: object, "NS.relative") else { return nil }
        let base = try self.value(of: object, "NS.base").object.map { try string(of: $0, "NS.relative") } ?? nil
        return URL(string: text, relativeTo: base.flatMap { URL(string: $0) })?.absoluteURL
    }

    /// Returns an `NSDecimalNumber`, or any other number as a decimal.
    package mutating func decimal(_ value: KeyedArchiveValue) throws -> Decimal? {
        switch value {
        case .plain(.integer(let number)): return Decimal(number)
        case .plain(.real(let number)): return number.isFinite ? Decimal(number) : nil
        case .object(let object): return try decimalNumber(object)
        default: return nil
        }
    }

    /// ```
    /// NS.mantissa     up to 8 units of 16 bits, least significant first, in the byte order given by NS.mantissa.bo
    /// NS.mantissa.bo  1 little-endian, 2 big-endian
    /// NS.length       units in use      NS.exponent  power of ten      NS.negative
    /// ```
    private mutating func decimalNumber(_ object: KeyedArchiveObject) throws -> Decimal? {
        guard let mantissa = try value(of: object, "NS.mantissa").plain?.dataValue, mantissa.count == 16,
            let exponent = object.integer("NS.exponent"), (-128...127).contains(exponent),
            let length = object.integer("NS.length"), (0...8).contains(length)
        else { return nil }
        let isBigEndian = object.integer("NS.mantissa.bo") == 2
        let significand = (0..<length).reversed().reduce(UInt128(0)) { sum, unit in
            let (first, second) = (
                UInt128(mantissa[mantissa.startIndex + 2 * unit]), UInt128(mantissa[mantissa.startIndex + 2 * unit + 1])
            )
            return sum << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
        }
        guard let digits = Decimal(string: "\(significand)") else { return nil }
        let number = Decimal(
            sign: object.flag("NS.negative") ? .minus : .plus, exponent: exponent, significand: digits)
        return number.isFinite ? number : nil
    }
}

extension KeyedArchiveValue {
    /// The plain value, or `nil` for an object or null.
    package var plain: PropertyListValue? { if case .plain(let value) = self { value } else { nil } }
}

extension PropertyListValue {
    /// A number as floating point, in whichever form it is written.
    package var realValue: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }
}

extension Date {
    fileprivate init(seconds: Double) { self.init(timeIntervalSinceReferenceDate: seconds) }
}
