/// A value that can replace a placeholder of a format string: a value of any attribute type, an object, an id, or a
/// collection of these.
///
///     try Condition(format: "name LIKE[cd] %@ AND friend IN %@", "mon*", [monk, abbot])
public protocol FormatArgument {
    /// The argument as a constant.
    var formatArgument: ManagedValue { get }
}

extension ManagedValue: FormatArgument {
    /// The value itself.
    public var formatArgument: ManagedValue { self }
}

extension AnyObjectID: FormatArgument {
    /// The object with the id.
    public var formatArgument: ManagedValue { .object(self) }
}

extension Array: FormatArgument where Element: FormatArgument {
    /// The elements as a list.
    public var formatArgument: ManagedValue { .list(map(\.formatArgument)) }
}

extension Set: FormatArgument where Element: FormatArgument {
    /// The elements as a list.
    public var formatArgument: ManagedValue { .list(map(\.formatArgument)) }
}

extension ClosedRange: FormatArgument where Bound: FormatArgument {
    /// The two bounds, as BETWEEN expects them.
    public var formatArgument: ManagedValue { .list([lowerBound.formatArgument, upperBound.formatArgument]) }
}

extension Optional: FormatArgument where Wrapped: FormatArgument {
    /// The value, or `nil`.
    public var formatArgument: ManagedValue { self?.formatArgument ?? .null }
}
