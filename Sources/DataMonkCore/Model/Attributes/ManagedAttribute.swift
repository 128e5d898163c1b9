/// A type that can be used for an attribute of a managed object.
///
/// `Bool`, the integers, `Float`, `Double`, `Decimal`, `String`, `Date`, `Data`, `UUID` and `URL` conform, and so do their
/// optionals. An enum with such a raw value only has to declare its conformance:
///
///     enum Rank: Int, CaseIterable, ManagedAttribute { case novice, monk, abbot }
///
///     @Entity final class Person: ManagedObject {
///         var rank: Rank = .novice
///     }
///
/// A stored value that is no longer a case reads as ``fallback`` (the first case, unless the type provides another). Stored
/// data never makes the program trap.
public protocol ManagedAttribute: Sendable, FormatArgument {
    /// Core Data's type of the attribute.
    static var attributeType: AttributeType { get }
    /// A Boolean value indicating whether the attribute may have no value.
    static var isOptional: Bool { get }
    /// The value of a required attribute whose row has no value.
    static var fallback: Self { get }

    /// Reads the attribute in slot `slot` of a packed row.
    static func read(from row: RowReader, slot: Int) -> Self
    /// Writes the attribute into slot `slot` of an object's unsaved row.
    static func write(_ value: Self, to row: inout RowEditor, slot: Int)

    /// The value in dynamic form.
    var managedValue: ManagedValue { get }
    /// Creates a value from its dynamic form, or returns `nil` if that is of another kind or does not fit.
    init?(managedValue: ManagedValue)
}

extension ManagedAttribute {
    /// A Boolean value indicating whether the attribute may have no value.
    @inlinable public static var isOptional: Bool { false }
}

extension ManagedAttribute {
    /// The value as a constant of a format string.
    public var formatArgument: ManagedValue { managedValue }
}
