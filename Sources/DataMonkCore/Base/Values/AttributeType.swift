/// **Value.** The type of an attribute's value. The raw values are Core Data's; they are part of version hashes and
/// compiled models, and never change.
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    /// No type, allowed only for transient attributes.
    case undefined = 0
    /// A 16-bit integer.
    case integer16 = 100
    /// A 32-bit integer.
    case integer32 = 200
    /// A 64-bit integer.
    case integer64 = 300
    /// A decimal number. A Core Data file keeps only the precision of a double.
    case decimal = 400
    /// A 64-bit floating-point number.
    case double = 500
    /// A 32-bit floating-point number.
    case float = 600
    /// Text.
    case string = 700
    /// A Boolean value.
    case boolean = 800
    /// A point in time.
    case date = 900
    /// Bytes.
    case binary = 1000
    /// A universally unique identifier.
    case uuid = 1100
    /// A URI, kept as its absolute string.
    case uri = 1200
    /// A value of any other type, turned into bytes by a value transformer.
    case transformable = 1800
    /// The id of an object, which occurs only in results of queries, never in a store.
    case objectID = 2000
    /// A group of named attributes, stored side by side.
    case composite = 2100
}

extension AttributeType {
    /// A Boolean value indicating whether the type is an integer of a fixed width.
    public var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }

    /// A Boolean value indicating whether the type is numeric: an integer, a decimal or a floating-point number, but not a
    /// Boolean.
    public var isNumeric: Bool { isInteger || self == .decimal || self == .double || self == .float }
}
