/// **Value.** A batch update whose names are all found in the model and whose constants are valid.
package struct ResolvedBatchUpdate: Sendable {
    /// **Value.** The assignment of one property.
    package struct Assignment: Sendable {
        package let property: Entity.Property
        /// The expression to evaluate for each object, or `nil` if the property gets the value in the row of constants.
        package let expression: ResolvedExpression?
    }

    /// The fetch of the objects to update.
    package let fetch: ResolvedFetch
    /// The assignments in slot order.
    package let assignments: [Assignment]
    /// A row of the entity with the constants in their slots.
    package let constants: Row

    /// A Boolean value indicating whether objects may move from one to-many to another.
    package var setsToOnes: Bool { assignments.contains { $0.property.relationship != nil } }
}

extension ResolvedExpression {
    /// Returns the value for an object in the attribute's type, or `nil` if the attribute cannot hold it.
    package func value(for attribute: Entity.Attribute, of object: any PropertyReader) throws(FetchError)
        -> ManagedValue?
    {
        ValueKind(attribute).coerce(try value(in: EvaluationScope(object)))
    }
}
