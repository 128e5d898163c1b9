extension Condition {
    /// The condition that a format string describes, in the language of Core Data's predicates.
    ///
    ///     try Condition(format: "name BEGINSWITH[cd] %@ AND ANY friends.age > %d", "mon", 18)
    ///     try Condition(format: "SUBQUERY(friends, $f, $f.age > age).@count >= 2")
    ///     try Condition(format: "%K IN %@", "location", ["Taipei", "Tainan"])
    ///
    /// `%@` takes any value, `%K` a key path, `%d` an integer, `%f` a number, `%s` text; within quotes they are text.
    /// Values always travel as bound parameters, and key paths are looked up in the model: neither can change what the
    /// condition says. A key that is called like a keyword is written `#any`.
    ///
    /// - Throws: ``FetchError`` with code `.invalidFormat`, naming the position, for what is no condition, for missing,
    ///   superfluous and mistyped arguments, for more than 200 levels of nesting and more than 262,144 characters.
    public init(format: String, _ arguments: any FormatArgument...) throws(FetchError) {
        try self.init(format: format, arguments: arguments.map(\.formatArgument))
    }

    /// The condition that a format string describes, its arguments as dynamic values.
    ///
    /// - Throws: as ``init(format:_:)``.
    public init(format: String, arguments: [ManagedValue]) throws(FetchError) {
        var parser = try FormatParser(format, arguments)
        self = try parser.condition()
    }
}

extension ConditionExpression {
    /// The expression that a format string describes: `"price * amount"`, `"max:(scores)"`.
    ///
    /// - Throws: as ``Condition/init(format:_:)``.
    public init(format: String, _ arguments: any FormatArgument...) throws(FetchError) {
        try self.init(format: format, arguments: arguments.map(\.formatArgument))
    }

    /// The expression that a format string describes, its arguments as dynamic values.
    ///
    /// - Throws: as ``Condition/init(format:_:)``.
    public init(format: String, arguments: [ManagedValue]) throws(FetchError) {
        var parser = try FormatParser(format, arguments)
        self = try parser.expression()
    }
}
