extension Condition {
    /// The condition as a format string. ``init(format:_:)`` reads it as an equal condition, with these exceptions: a part
    /// that stands alone in AND or OR comes back without it, an empty AND or OR as the constant it means, a path behind
    /// SELF or behind a path as one path, a list of constants as a constant list; and objects, which no text can stand
    /// for, do not come back.
    ///
    /// - Complexity: linear in the text, at any depth.
    public var format: String { FormatWriter.text(of: .condition(self, within: nil)) }
}

extension Condition: CustomStringConvertible {
    /// The condition as a format string, with its constants.
    public var description: String { format }
}

extension ConditionExpression: CustomStringConvertible {
    /// The expression as a format string, with its constants.
    public var description: String { format }

    /// The expression as a format string.
    public var format: String { FormatWriter.text(of: .expression(self)) }

    /// The expression as a format string with "…" for its constants: what messages show.
    package var outline: String { FormatWriter.text(of: .expression(self), showsConstants: false) }
}
