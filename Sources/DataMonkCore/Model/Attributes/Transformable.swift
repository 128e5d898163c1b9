public import Foundation

/// **Value.** The value of a transformable attribute: the bytes in its store, and their contents encoded by Foundation's
/// secure coding.
///
/// ```swift
/// @Entity final class Note: ManagedObject {
///     var tags: Transformable?
/// }
///
/// note.tags = try Transformable(.list(["urgent", "paid"]))
/// if case .list(let tags)? = try note.tags?.value() { print(tags) }
/// ```
/// Texts, numbers, dates, data, UUIDs, URLs, and arrays and dictionaries of them are read and written as by Core Data's
/// `NSSecureUnarchiveFromData`. The implementation instantiates no classes of an archive and has limits, so that damaged or
/// hostile bytes lead to an error. Bytes of any other kind are kept and written back unchanged.
public struct Transformable: Sendable, Hashable {
    /// The bytes in the store.
    public let data: Data

    /// Creates a value from existing bytes.
    public init(data: Data) { self.data = data }

    /// Creates a value by encoding one of Foundation's kinds.
    ///
    /// - Throws: ``TransformError`` with the code `unsupportedValue` for an object's id, or for a value with too many
    ///   levels.
    public init(_ value: ManagedValue) throws(TransformError) {
        var writer = KeyedArchiveWriter()
        let root = try Self.add(value, to: &writer, depth: 0)
        do {
            data = try writer.archive(root: root)
        } catch {
            throw TransformError(
                .unsupportedValue, "The value is too large for an archive. Store it in a file instead.")
        }
    }

    /// Decodes the bytes.
    ///
    /// - Throws: ``TransformError`` with the code `damaged`, or with `unsupportedClass` for an object of a class outside
    ///   Foundation.
    public func value() throws(TransformError) -> ManagedValue {
        do {
            var archive = try KeyedArchive(data, limits: Self.limits, maximumSteps: Self.limits.objectCount)
            return try Self.value(of: archive.root(), in: &archive, depth: 0)
        } catch let error as TransformError {
            throw error
        } catch {
            throw TransformError(
                .damaged, "The bytes are not a keyed archive, or the archive is damaged. Read the attribute as data.")
        }
    }

    private static let maximumDepth = 50

    private static var limits: PropertyListLimits {
        var limits = PropertyListLimits()
        limits.objectCount = 500_000
        return limits
    }
}

extension Transformable {
    private static func value(
        of value: KeyedArchiveValue, in archive: inout KeyedArchive, depth: Int
    ) throws -> ManagedValue {
        // A cycle has no end.
        guard depth < maximumDepth else { throw KeyedArchiveError(.tooDeep) }
        switch value {
        case .null: return .null
        case .plain(.bool(let flag)): return .bool(flag)
        case .plain(.integer(let number)): return .int(number)
        case .plain(.real(let number)): return .double(number)
        case .plain(.string(let text)): return .string(text)
        case .plain(.date(let date)): return .date(date)
        case .plain(.data(let data)): return .data(data)
        case .plain: throw KeyedArchiveError(.notAnArchive)
        case .object(let object): return try self.value(of: object, from: value, in: &archive, depth: depth)
        }
    }

    private static func value(
        of object: KeyedArchiveObject, from value: KeyedArchiveValue, in archive: inout KeyedArchive, depth: Int
    ) throws -> ManagedValue {
        let known: ManagedValue?
        switch object.className {
        case "NSNull": known = .null
        case "NSString", "NSMutableString": known = try archive.string(value).map(ManagedValue.string)
        case "NSDate": known = try archive.date(value).map(ManagedValue.date)
        case "NSData", "NSMutableData": known = try archive.data(value).map(ManagedValue.data)
        case "NSUUID": known = try archive.uuid(value).map(ManagedValue.uuid)
        case "NSURL": known = try archive.url(value).map(ManagedValue.url)
        case "NSDecimalNumber": known = try archive.decimal(value).map(ManagedValue.decimal)
        case "NSArray", "NSMutableArray":
            known = try archive.array(value)?.map { try self.value(of: $0, in: &archive, depth: depth + 1) }.asList
        case "NSDictionary", "NSMutableDictionary":
            known = try dictionary(of: object, from: value, in: &archive, depth: depth)
        default:
            throw TransformError(
                .unsupportedClass,
                """
                The archive contains an object of the class \(object.className), which cannot be decoded. Register a \
                transformer for the attribute, or read it as data.
                """)
        }
        guard let known else { throw KeyedArchiveError(.notAnArchive) }
        return known
    }

    private static func dictionary(
        of object: KeyedArchiveObject, from value: KeyedArchiveValue, in archive: inout KeyedArchive, depth: Int
    ) throws -> ManagedValue? {
        guard let entries = try archive.dictionary(value) else { return nil }
        guard entries.count == object.fields["NS.keys"]?.arrayValue?.count else {
            throw TransformError(
                .unsupportedClass,
                "The archive contains a dictionary with a key that is not a string. Read the attribute as data.")
        }
        var values: [String: ManagedValue] = [:]
        for (key, value) in entries { values[key] = try self.value(of: value, in: &archive, depth: depth + 1) }
        return .dictionary(values)
    }

    private static func add(
        _ value: ManagedValue, to writer: inout KeyedArchiveWriter, depth: Int
    ) throws(TransformError) -> PropertyListValue {
        guard depth < maximumDepth else {
            throw TransformError(
                .unsupportedValue,
                "The value is nested more than \(maximumDepth) levels deep. Flatten it, or archive it yourself."
            )
        }
        switch value {
        case .null: return writer.add(["NSNull"], fields: [:])
        case .bool(let flag): return writer.add(.bool(flag))
        case .int(let number): return writer.add(.integer(number))
        case .double(let number): return writer.add(.real(number))
        case .decimal(let number): return writer.add(number)
        case .string(let text): return writer.add(.string(text))
        case .date(let date): return writer.add(date)
        case .data(let data): return writer.add(.data(data))
        case .uuid(let uuid): return writer.add(uuid)
        case .url(let url): return writer.add(url)
        case .list(let values):
            var parts: [PropertyListValue] = []
            for value in values { parts.append(try add(value, to: &writer, depth: depth + 1)) }
            return writer.add(elements: parts)
        case .dictionary(let values):
            var entries: [(key: String, value: PropertyListValue)] = []
            for (key, value) in values.sorted(by: { String.precedesInBytes($0.key, $1.key) }) {
                entries.append((key, try add(value, to: &writer, depth: depth + 1)))
            }
            return writer.add(entries: entries)
        case .object:
            throw TransformError(
                .unsupportedValue, "An object's id cannot be archived. Use a relationship instead.")
        }
    }
}

extension [ManagedValue] {
    fileprivate var asList: ManagedValue { .list(self) }
}

extension Transformable: ManagedAttribute {
    /// Core Data's type of the attribute.
    public static var attributeType: AttributeType { .transformable }
    /// The value of a required attribute whose row has no value.
    public static var fallback: Transformable { Transformable(data: Data()) }
    /// Reads the bytes from a row.
    public static func read(from row: RowReader, slot: Int) -> Transformable {
        Transformable(data: Data.read(from: row, slot: slot))
    }
    /// Writes the bytes into a row.
    public static func write(_ value: Transformable, to row: inout RowEditor, slot: Int) {
        Data.write(value.data, to: &row, slot: slot)
    }
    /// The bytes in dynamic form.
    public var managedValue: ManagedValue { .data(data) }
    /// Creates a value from bytes in dynamic form, or returns `nil` for another kind.
    public init?(managedValue: ManagedValue) {
        guard case .data(let data) = managedValue else { return nil }
        self.init(data: data)
    }
}
