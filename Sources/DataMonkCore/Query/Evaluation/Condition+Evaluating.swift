extension Condition {
    /// Whether the condition is true of plain data: dictionaries, lists, single values.
    ///
    ///     try Condition(format: "ANY purchases > 100").evaluate(with: ["purchases": [35, 120]])
    ///
    /// - Parameter substitutionVariables: What `$name` means in the condition.
    /// - Throws: ``FetchError`` for what cannot be compared, such as text with a number by `<`; for a variable without a
    ///   value; for regular expressions that are none or take too long; and for more than 500 levels of nesting.
    /// - Complexity: each part once a value it looks at. Reads no store.
    public func evaluate(
        with value: ManagedValue, substitutionVariables: [String: ManagedValue] = [:]
    ) throws(FetchError) -> Bool {
        try PlainEvaluator(value, variables: substitutionVariables).isTrue(self)
    }

    /// Whether the condition is true of an object, with its unsaved changes.
    ///
    ///     if try Condition(format: "friend.age > age").evaluate(with: monk) { … }
    ///
    /// - Throws: ``FetchError`` for what a fetch of the object's entity would refuse too, and with the code `unreadValues` if
    ///   a value cannot be read.
    /// - Complexity: a round trip to the store for each fault on the way.
    public func evaluate(with object: ManagedObject) throws(FetchError) -> Bool {
        try ConditionResolver(entity: object.entity).resolve(self).isReadablyTrue(of: object)
    }
}

extension ResolvedCondition {
    /// Whether the condition is true of an object; throws if a value cannot be read.
    func isReadablyTrue(of object: ManagedObject) throws(FetchError) -> Bool {
        guard let context = object.home.context else { return try isTrue(of: object) }
        return try context.evaluatingForFetch { try isTrue(of: object) }
    }
}

extension ConditionExpression {
    /// The expression's value for plain data.
    ///
    ///     try ConditionExpression(format: "price * amount").value(with: ["price": 3, "amount": 14])
    ///
    /// - Throws: as ``Condition/evaluate(with:substitutionVariables:)``.
    public func value(
        with value: ManagedValue, substitutionVariables: [String: ManagedValue] = [:]
    ) throws(FetchError) -> ManagedValue {
        try PlainEvaluator(value, variables: substitutionVariables).value(of: self)
    }
}
