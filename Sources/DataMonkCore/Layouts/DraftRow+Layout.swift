extension DraftRow {
    /// Creates a copy of `source`, a row of `layout`.
    package convenience init(copying source: UnsafeRawPointer, of layout: EntityLayout, base: Row?) {
        self.init(
            copying: source, slots: layout.slotCount, size: layout.size(of: source), longSlots: layout.longSlots,
            base: base)
    }

    /// Creates the initial row of `layout` for an object that was never saved, in a block of `arena` and with room for the
    /// object's values.
    package convenience init(of layout: EntityLayout, in arena: inout RowArena) {
        self.init(
            initial: layout.initialRow.pointer, header: layout.headerSize, slotsSize: layout.slotsSize,
            size: layout.initialSize, longSlots: layout.longSlots, in: &arena)
    }
}

extension DraftRow {
    /// Throws if the row has refused a value.
    ///
    /// - Parameter id: The id of the object that has the row, if there is one.
    package func requireAllValues(of entity: Entity, _ id: AnyObjectID? = nil) throws(FetchError) {
        if refusedSlot < 0 { return }
        throw FetchError.valueTooLarge(entity.properties[refusedSlot].name, of: entity, id: id)
    }
}

extension FetchError {
    /// Returns the error for a value that is too long for its row.
    static func valueTooLarge(_ name: String, of entity: Entity, id: AnyObjectID?) -> FetchError {
        FetchError(
            .valueTooLarge,
            """
            The value of \(entity.name).\(name) was not set, because the values of one object must not exceed 2 GiB \
            together. Distribute the data over several objects, or store it in files.
            """, entityName: entity.name, keyPath: name, objectID: id)
    }
}
