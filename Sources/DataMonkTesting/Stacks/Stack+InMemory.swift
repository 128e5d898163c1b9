public import DataMonk

extension Stack {
    /// Returns a stack of its own with an empty store in memory.
    ///
    /// ```swift
    /// let World = try MainContext(stack: .inMemory(Person.self))
    /// ```
    /// Each call returns another stack, so tests that run at the same time do not meet. The data goes with the stack. The
    /// store behaves as one in a file does: conditions, unique values, delete rules, conflicts, derived attributes. It runs no
    /// SQL; what concerns files is tested with ``withTemporaryStore(copying:perform:)``.
    ///
    /// - Throws: `ModelError` with every problem of the model.
    public static func inMemory(_ first: ManagedObject.Type, _ others: ManagedObject.Type...) throws -> Stack {
        try inMemory(model: ManagedObjectModel(classes: [first] + others))
    }

    /// Returns a stack of its own for a model, with an empty store in memory.
    ///
    /// - Parameters:
    ///   - model: The entities.
    ///   - tracksHistory: Whether the store keeps a history of its transactions.
    public static func inMemory(model: ManagedObjectModel, tracksHistory: Bool = false) throws -> Stack {
        let stack = Stack(model: model)
        try stack.addInMemoryStore(tracksHistory: tracksHistory)
        return stack
    }
}
