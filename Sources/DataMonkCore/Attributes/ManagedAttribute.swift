/// A Swift type that can be an attribute of a managed object.
///
/// `Bool`, the integers, `Float`, `Double`, `Decimal`, `String`, `Date`, `Data`, `UUID` and `URL` conform, and an
/// optional of each. An enum with such a raw value conforms by saying so:
///
///     enum Rank: Int, CaseIterable, ManagedAttribute { case novice, monk, abbot }
///
///     @Entity final class Person: ManagedObject {
///         var rank: Rank = .novice
///     }
///
/// A stored value that is no case any more reads as ``fallback`` (the first case, unless the type says otherwise);
/// nothing traps on data.
public protocol ManagedAttribute: Sendable, FormatArgument {
    /// Core Data's type of the attribute.
    static var attributeType: AttributeType { get }
    /// Whether the attribute may hold no value.
    static var isOptional: Bool { get }
    /// What a required attribute reads as when its row holds no value.
    static var fallback: Self { get }

    /// Reads the attribute in slot `slot` of a packed row.
    static func read(from row: RowReader, slot: Int) -> Self
    /// Writes the attribute into slot `slot` of an object's unsaved row.
    static func write(_ value: Self, to row: inout RowEditor, slot: Int)

    /// The value in dynamic form.
    var managedValue: ManagedValue { get }
    /// The typed form of a dynamic value; nil where it has another kind or does not fit.
    init?(managedValue: ManagedValue)
}

extension ManagedAttribute {
    /// Whether the attribute may hold no value.
    @inlinable public static var isOptional: Bool { false }
}
