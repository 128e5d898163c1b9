package import DataMonkCore

/// **Confined.** An object for tests of queries: values and links by slot, without a context.
package final class QueryObject: PropertyReader {
    package let entity: Entity
    package let objectKey: ObjectKey
    package var values: [ManagedValue]
    package var links: [[QueryObject]]

    package init(_ entity: Entity, primaryKey: Int64, store: Int = 0) {
        self.entity = entity
        objectKey = ObjectKey(store: store, entity: entity.index, primaryKey: primaryKey)
        values = Array(repeating: .null, count: entity.properties.count)
        links = Array(repeating: [], count: entity.properties.count)
    }

    /// The value of an attribute.
    package subscript(_ name: String) -> ManagedValue {
        get { entity.propertiesByName[name].map { values[$0.slot] } ?? .null }
        set {
            guard let property = entity.propertiesByName[name] else { preconditionFailure("No property \(name)") }
            values[property.slot] = newValue
        }
    }

    /// Links the object and another one in both directions.
    package func link(_ name: String, to other: QueryObject) {
        guard let relationship = entity.relationship(named: name) else {
            preconditionFailure("No relationship \(name)")
        }
        add(other, to: relationship)
        if let inverse = relationship.inverse { other.add(self, to: inverse) }
    }

    private func add(_ other: QueryObject, to relationship: Entity.Relationship) {
        if relationship.isToMany {
            links[relationship.slot].append(other)
        } else {
            links[relationship.slot] = [other]
        }
    }

    package func value(at slot: Int) -> ManagedValue { values[slot] }

    package func toOne(_ slot: Int) -> (any PropertyReader)? { links[slot].first }

    package func toMany(_ slot: Int) -> [any PropertyReader] { links[slot] }
}

@available(*, unavailable)
extension QueryObject: Sendable {}
