/// **Value.** The kind of value an attribute holds. Raw values are Core Data's: they enter version hashes and compiled
/// models, and never change.
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    /// No type: legal for transient attributes only.
    case undefined = 0
    /// A whole number of 16 bits.
    case integer16 = 100
    /// A whole number of 32 bits.
    case integer32 = 200
    /// A whole number of 64 bits.
    case integer64 = 300
    /// A decimal number. A Core Data file keeps the precision of a double only.
    case decimal = 400
    /// A floating point number of 64 bits.
    case double = 500
    /// A floating point number of 32 bits.
    case float = 600
    /// Text.
    case string = 700
    /// True or false.
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
    /// The identity of an object: only in results of queries, never in a store.
    case objectID = 2000
    /// A group of named attributes, stored side by side.
    case composite = 2100
}

extension AttributeType {
    /// Whether the value is a whole number of a fixed width.
    public var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }

    /// Whether the value is a number: whole, decimal or floating point, but not a Boolean.
    public var isNumeric: Bool { isInteger || self == .decimal || self == .double || self == .float }
}
