extension Condition {
    /// Returns `true` if plain data, such as a dictionary, a list or a single value, satisfies the condition.
    ///
    ///     try Condition(format: "ANY purchases > 100").evaluate(with: ["purchases": [35, 120]])
    ///
    /// - Parameter substitutionVariables: The values of the condition's variables (`$name`).
    /// - Throws: ``FetchError`` for values that cannot be compared, such as text with a number by `<`; for a variable
    ///   without a value; for a regular expression that is invalid or takes too long; and for more than 100 levels of
    ///   nesting.
    /// - Complexity: Evaluates each part once for each value it looks at. Does not read from a store.
    public func evaluate(
        with value: ManagedValue, substitutionVariables: [String: ManagedValue] = [:]
    ) throws(FetchError) -> Bool {
        try PlainEvaluator(value, variables: substitutionVariables).isTrue(self)
    }

    /// Returns `true` if an object, including its unsaved changes, satisfies the condition.
    ///
    ///     if try Condition(format: "friend.age > age").evaluate(with: monk) { … }
    ///
    /// - Throws: ``FetchError`` if a fetch of the object's entity would refuse the condition, and with the code
    ///   `unreadValues` if a value cannot be read.
    /// - Complexity: One round trip to the store for each fault on the way.
    public func evaluate(with object: ManagedObject) throws(FetchError) -> Bool {
        try ![object].filtered(using: self).isEmpty
    }
}

extension ResolvedCondition {
    /// Returns `true` if an object satisfies the condition. Throws if a value cannot be read.
    func isReadablyTrue(of object: ManagedObject) throws(FetchError) -> Bool {
        guard let context = object.home.context else { return try isTrue(of: object) }
        return try context.faults.evaluatingForFetch { try isTrue(of: object) }
    }
}

extension ConditionExpression {
    /// Returns the expression's value for plain data.
    ///
    ///     try ConditionExpression(format: "price * amount").value(with: ["price": 3, "amount": 14])
    ///
    /// - Throws: The same errors as ``Condition/evaluate(with:substitutionVariables:)``.
    public func value(
        with value: ManagedValue, substitutionVariables: [String: ManagedValue] = [:]
    ) throws(FetchError) -> ManagedValue {
        try PlainEvaluator(value, variables: substitutionVariables).value(of: self)
    }
}
