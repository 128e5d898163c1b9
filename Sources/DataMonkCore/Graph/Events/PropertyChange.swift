/// **Value.** A property's value before and after a change, as told to those who observe the property.
public struct PropertyChange<Value> {
    /// The value that the observer was told last, or that the property had when the observation began.
    public let oldValue: Value
    /// The present value.
    public let newValue: Value
}

extension PropertyChange: Sendable where Value: Sendable {}

extension IdentifiedObject where Self: ManagedObject {
    /// Calls a block when a value of the object has changed, whoever has changed it: its context, or a commit that the
    /// context has merged.
    ///
    ///     let observation = try monk.observe(\.age) { monk, change in
    ///         label.text = "\(change.oldValue) -> \(change.newValue)"
    ///     }
    ///
    /// The block is called where the context runs, at the end of the user event, as those of
    /// ``ManagedObjectContext/observeChanges(_:)`` are; in an event that changes a value twice it is called once, and
    /// not at all if the value is the former one in the end. The key path may be any: of a property, of a computed one,
    /// or of a related object. A value that cannot be read is not reported; the error goes to the stack's error
    /// handler, and the next event looks again.
    ///
    /// The observation keeps its object, and is kept until the context's next event after the token's release. It tells
    /// nothing more once the object is deleted or has left its context. A block that changes the value is told of that
    /// by the event that the change belongs to.
    ///
    /// - Returns: A token. The calls stop when it is released.
    /// - Throws: ``FetchError`` if the object has left its context; the error of the store if the value cannot be read.
    /// - Complexity: Each event of the context reads the value once for each observation. What became a fault is read again.
    public func observe<Value: Equatable>(
        _ keyPath: KeyPath<Self, Value>, _ body: @escaping (Self, PropertyChange<Value>) -> Void
    ) throws -> ContextObservation {
        try requireMembership()
        var value = try readValue(at: keyPath)
        // As lists do, because related objects that nobody holds are not registered.
        return try requireContext().observeChangesForLists { _ in
            guard !self.isDeleted, let context = self.managedObjectContext else { return }
            do {
                let newValue = try self.readValue(at: keyPath)
                if newValue == value { return }
                let oldValue = value
                value = newValue
                body(self, PropertyChange(oldValue: oldValue, newValue: newValue))
            } catch let error as FetchError where error.code == .objectNotFound {
                return
            } catch {
                context.coordinator.report(error)
            }
        }
    }

    /// Returns a value that was read, never a substitute.
    private func readValue<Value>(at keyPath: KeyPath<Self, Value>) throws -> Value {
        try fault()
        return try requireContext().faults.evaluating { self[keyPath: keyPath] }
    }
}
