package import Foundation

/// **Value.** Writes a keyed archive: objects are numbered first and filled later, so that they may refer to each other in
/// cycles. Equal texts and numbers are written once. See ``KeyedArchive`` for the format.
package struct KeyedArchiveWriter {
    /// **Value.** An object's position in the archive.
    package struct Reference: Hashable, Sendable {
        fileprivate let number: Int

        /// The value by which other objects refer to the object.
        package var uid: PropertyListValue { .uid(UInt64(number)) }
    }

    /// The reference to no object.
    package static let null = PropertyListValue.uid(0)

    /// The values written so far. Swift considers texts equal whatever their composition, but in a file they differ, so
    /// texts are identified by their bytes.
    private enum Known: Hashable {
        case text([UInt8])
        case value(PropertyListValue)
        case className(String)
    }

    private var objects: [PropertyListValue] = [.string("$null")]
    private var known: [Known: Reference] = [:]

    package init() {}

    /// Reserves a position for an object that ``fill(_:classes:fields:)`` writes.
    package mutating func reserve() -> Reference { append(.null) }

    /// Writes an object at its position.
    ///
    /// - Parameters:
    ///   - classes: The class, followed by its superclasses without `NSObject`.
    ///   - fields: The object's contents by key.
    package mutating func fill(
        _ reference: Reference, classes: [String], fields: [String: PropertyListValue]
    ) {
        var fields = fields
        fields["$class"] = classReference(classes).uid
        objects[reference.number] = .dictionary(fields)
    }

    /// Writes an object at the next position.
    package mutating func add(_ classes: [String], fields: [String: PropertyListValue]) -> PropertyListValue {
        let reference = reserve()
        fill(reference, classes: classes, fields: fields)
        return reference.uid
    }

    /// Writes a plain value as a separate part, as Foundation writes values that it treats as objects.
    package mutating func add(_ plain: PropertyListValue) -> PropertyListValue {
        // 0.0 and -0.0 are equal but not the same.
        if case .real = plain { return append(plain).uid }
        let key: Known = plain.stringValue.map { .text(Array($0.utf8)) } ?? .value(plain)
        if let reference = known[key] { return reference.uid }
        let reference = append(plain)
        known[key] = reference
        return reference.uid
    }

    /// Writes a text, or no object for `nil`.
    package mutating func add(_ text: String?) -> PropertyListValue { text.map { add(.string($0)) } ?? Self.null }

    /// Writes an array, a set or another class that holds its elements in the same form.
    package mutating func add(_ classes: [String] = ["NSArray"], elements: [PropertyListValue]) -> PropertyListValue {
        add(classes, fields: ["NS.objects": .array(elements)])
    }

    /// Writes a dictionary whose keys are texts.
    package mutating func add(
        _ classes: [String] = ["NSDictionary"], entries: [(key: String, value: PropertyListValue)]
    ) -> PropertyListValue {
        let keys = entries.map { add(.string($0.key)) }
        return add(classes, fields: ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.value))])
    }

    /// Returns the archive of an object, as bytes.
    package func archive(root: Reference) throws -> Data { try archive(root: root.uid) }

    /// Returns the archive of a value returned by `add`, as bytes.
    package func archive(root: PropertyListValue) throws -> Data {
        try BinaryPropertyListWriter.write(
            .dictionary([
                "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
                "$top": .dictionary(["root": root]), "$objects": .array(objects),
            ]))
    }

    private mutating func append(_ value: PropertyListValue) -> Reference {
        objects.append(value)
        return Reference(number: objects.count - 1)
    }

    private mutating func classReference(_ classes: [String]) -> Reference {
        if let reference = known[.className(classes[0])] { return reference }
        let ancestry = (classes + ["NSObject"]).map(PropertyListValue.string)
        let reference = append(.dictionary(["$classname": .string(classes[0]), "$classes": .array(ancestry)]))
        known[.className(classes[0])] = reference
        return reference
    }
}

extension KeyedArchiveWriter {
    // MARK: Foundation's own classes

    package static let mutableArray = ["NSMutableArray", "NSArray"]
    package static let mutableDictionary = ["NSMutableDictionary", "NSDictionary"]

    package mutating func add(_ date: Date) -> PropertyListValue {
        add(["NSDate"], fields: ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
    }

    package mutating func add(_ uuid: UUID) -> PropertyListValue {
        add(["NSUUID"], fields: ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
    }

    package mutating func add(_ url: URL) -> PropertyListValue {
        add(["NSURL"], fields: ["NS.base": Self.null, "NS.relative": add(.string(url.absoluteString))])
    }

    /// Writes a decimal in the format shown at the reader of `NSDecimalNumber`, always little-endian.
    package mutating func add(_ decimal: Decimal) -> PropertyListValue {
        // A significand has at most 128 bits.
        let significand = UInt128("\(decimal.significand)") ?? 0
        let length = (UInt128.bitWidth - significand.leadingZeroBitCount + 15) / 16
        return add(
            ["NSDecimalNumber", "NSNumber", "NSValue"],
            fields: [
                "NS.mantissa": .data(withUnsafeBytes(of: significand.littleEndian) { Data($0) }),
                "NS.mantissa.bo": .integer(1), "NS.length": .integer(Int64(length)),
                "NS.exponent": .integer(Int64(decimal.exponent)), "NS.negative": .bool(decimal.isSignMinus),
                "NS.compact": .bool(true),
            ])
    }
}
