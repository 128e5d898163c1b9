/// How conditions read an object in a context: with its unsaved changes.
extension ManagedObject: PropertyReader {
    package final nonisolated var objectKey: ObjectKey { key }

    package final nonisolated func value(at slot: Int) -> ManagedValue {
        guard let attribute = entity.properties[slot].attribute else { return .null }
        return attribute.value(in: row ?? fulfill(at: slot))
    }

    package final nonisolated func toOne(_ slot: Int) -> (any PropertyReader)? {
        guard let destination = toOneKey(slot).map({ livingContext.object(for: $0) }) else { return nil }
        // One that others have deleted has no values any more: a store, which does not find it, says the same.
        return destination.state.contains(.inaccessible) ? nil : destination
    }

    package final nonisolated func toOneKey(_ slot: Int) -> ObjectKey? {
        ObjectKey(slot: RowFormat.word(row ?? fulfill(at: slot), slot))
    }

    package final nonisolated func toMany(_ slot: Int) -> [any PropertyReader] {
        livingContext.toMany(relationship(at: slot), of: self).elements
    }
}
