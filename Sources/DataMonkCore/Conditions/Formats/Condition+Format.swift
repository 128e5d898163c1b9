extension Condition {
    /// Creates the condition that a format string describes, in the language of Core Data's predicates.
    ///
    ///     try Condition(format: "name BEGINSWITH[cd] %@ AND ANY friends.age > %d", "mon", 18)
    ///     try Condition(format: "SUBQUERY(friends, $f, $f.age > age).@count >= 2")
    ///     try Condition(format: "%K IN %@", "location", ["Taipei", "Tainan"])
    ///
    /// `%@` takes any value, `%K` a key path, `%d` an integer, `%f` a number, and `%s` text; within quotes they are plain
    /// text. Values are always bound as parameters, and key paths are looked up in the model: neither can change the
    /// meaning of the condition. A key with the name of a keyword is written with `#`, as in `#any`.
    ///
    /// - Throws: ``FetchError`` with code `.invalidFormat`, naming the position, for an invalid condition, for missing,
    ///   superfluous or mistyped arguments, for more than 100 levels of nesting, and for more than 262,144 characters.
    public init(format: String, _ arguments: any FormatArgument...) throws(FetchError) {
        try self.init(format: format, arguments: arguments.map(\.formatArgument))
    }

    /// Creates the condition that a format string describes, with dynamic values as arguments.
    ///
    /// - Throws: The same errors as ``init(format:_:)``.
    public init(format: String, arguments: [ManagedValue]) throws(FetchError) {
        var parser = try FormatParser(format, arguments: arguments)
        self = try parser.condition()
    }
}

extension ConditionExpression {
    /// Creates the expression that a format string describes: `"price * amount"`, `"max:(scores)"`.
    ///
    /// - Throws: The same errors as ``Condition/init(format:_:)``.
    public init(format: String, _ arguments: any FormatArgument...) throws(FetchError) {
        try self.init(format: format, arguments: arguments.map(\.formatArgument))
    }

    /// Creates the expression that a format string describes, with dynamic values as arguments.
    ///
    /// - Throws: The same errors as ``Condition/init(format:_:)``.
    public init(format: String, arguments: [ManagedValue]) throws(FetchError) {
        var parser = try FormatParser(format, arguments: arguments)
        self = try parser.expression()
    }
}
