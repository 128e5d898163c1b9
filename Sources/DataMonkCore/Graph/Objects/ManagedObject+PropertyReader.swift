/// Access to an object of a context for the evaluation of conditions, including its unsaved changes.
extension ManagedObject: PropertyReader {
    package final nonisolated var objectKey: ObjectKey { key }

    package final nonisolated func value(at slot: Int) -> ManagedValue {
        guard let attribute = entity.properties[slot].attribute else { return .null }
        let row = row ?? evaluableRow(slot)
        guard attribute.type == .binary, RowFormat.isReference(in: row, at: slot) else {
            return attribute.value(in: row)
        }
        do {
            return .data(try ExternalReference(RowFormat.bytes(in: row, at: slot)).data())
        } catch {
            evaluationDidFail(at: slot, with: error)
            return .null
        }
    }

    package final nonisolated func toOne(_ slot: Int) -> (any PropertyReader)? {
        guard let key = toOneKey(slot), let context = home.context else { return nil }
        let destination = context.object(for: key)
        if context.notesSteps { context.noteRead(of: destination.entity) }
        // An object that others have deleted no longer has values. A store, which does not find it, gives the same
        // answer.
        return destination.state.contains(.inaccessible) ? nil : destination
    }

    package final nonisolated func toOneKey(_ slot: Int) -> ObjectKey? {
        ObjectKey(slot: RowFormat.word(in: row ?? evaluableRow(slot), at: slot))
    }

    package final nonisolated func toMany(_ slot: Int) -> [any PropertyReader] {
        do {
            return try home.context?.faults.loadedToMany(relationship(at: slot), of: self).elements ?? []
        } catch {
            evaluationDidFail(at: slot, with: error)
            return []
        }
    }

    // MARK: Unreadable values
    // The evaluation goes on without them, and throws at its end: see `FaultLoader.evaluating`.

    /// Returns the row with the value of a slot. If it cannot be read, returns the empty row and makes the evaluation
    /// fail.
    @inline(never)
    private final nonisolated func evaluableRow(_ slot: Int) -> UnsafeRawPointer {
        if let partial = partialRow(holding: slot) { return partial }
        guard let context = home.context else { return fulfill() }
        do {
            return try context.faults.fulfillLazilyOrThrow(self)
        } catch {
            evaluationDidFail(at: slot, with: error)
            return home.layout.emptyRow.pointer
        }
    }

    private final nonisolated func evaluationDidFail(at slot: Int, with error: any Error) {
        guard let context = home.context else { return home.coordinator.directory.reportIncompleteRead(error) }
        context.faults.noteFailedRead(of: self, slot: slot, error)
    }
}
