/// **Value.** A batch update whose every name was found in the model, and whose constants may be stored.
package struct ResolvedBatchUpdate: Sendable {
    /// **Value.** One property that is set.
    package struct Assignment: Sendable {
        package let property: Entity.Property
        /// What is worked out for each object; nil if the property gets what the row of constants holds.
        package let expression: ResolvedExpression?
    }

    /// The objects.
    package let fetch: ResolvedFetch
    /// In slot order.
    package let assignments: [Assignment]
    /// A row of the entity with the constants in their slots.
    package let constants: Row

    /// What is worked out has to be checked when it is known.
    package var computed: [Entity.Attribute] {
        assignments.compactMap { $0.expression == nil ? nil : $0.property.attribute }
    }

    /// Whether objects may move from one to-many into another.
    package var setsToOnes: Bool { assignments.contains { $0.property.relationship != nil } }
}

extension ResolvedExpression {
    /// The value for an object, as an attribute takes it; nil where the attribute has no place for it.
    package func value(for attribute: Entity.Attribute, of object: any PropertyReader) throws(FetchError)
        -> ManagedValue?
    {
        ValueKind(attribute).coerce(try value(in: EvaluationScope(object)))
    }
}
