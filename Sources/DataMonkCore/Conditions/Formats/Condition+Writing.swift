extension Condition {
    /// The condition as a format string.
    ///
    /// ``init(format:_:)`` reads it back as an equal condition, with these exceptions:
    ///
    /// - An AND or OR with a single part becomes that part, and an empty one becomes the constant it means.
    /// - A path after SELF or after another path becomes one path.
    /// - A list of constants becomes a constant list.
    ///
    /// Objects cannot be written as text and do not come back.
    ///
    /// - Complexity: Linear in the length of the text, at any depth.
    public var format: String { FormatWriter.text(of: .condition(self, within: nil)) }
}

extension Condition: CustomStringConvertible {
    /// The condition as a format string, including its constants.
    public var description: String { format }
}

extension ConditionExpression: CustomStringConvertible {
    /// The expression as a format string, including its constants.
    public var description: String { format }

    /// The expression as a format string.
    public var format: String { FormatWriter.text(of: .expression(self)) }

    /// The expression as a format string with "…" in place of its constants, for messages.
    package var outline: String { FormatWriter.text(of: .expression(self), showsConstants: false) }
}
