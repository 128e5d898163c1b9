import Foundation

extension EntityLayout {
    /// Returns the draft with the attributes derived from its own values, or the draft itself if nothing is derived.
    ///
    /// Derived values are written to a copy, since they must not be visible if the save fails.
    func deriving(_ draft: DraftRow, savedAt date: @autoclosure () -> Date) -> DraftRow {
        if ownDerivations.isEmpty { return draft }
        let derived = DraftRow(copying: UnsafeRawPointer(draft.row), of: self, base: draft.base)
        let date = date()
        for derivation in ownDerivations { derivation.write(to: derived, savedAt: date) }
        return derived
    }

    /// Adds the slots in which a derived row differs from its base.
    func addDerivedChanges(of derived: DraftRow, to changed: inout SlotSet) {
        guard let base = derived.base else { return }
        for derivation in ownDerivations {
            let slot = derivation.attribute.slot
            if !isEqual(slot, in: UnsafeRawPointer(derived.row), and: base.pointer) { changed.insert(slot) }
        }
    }

    /// Returns a stored row with updated derived values, or `nil` if they have not changed.
    func deriving(_ row: Row, from object: any PropertyReader, in arena: inout RowArena) throws(FetchError) -> Row? {
        var draft: DraftRow?
        for derivation in relatedDerivations {
            let value = try derivation.value(of: object)
            if value == derivation.attribute.value(in: row.pointer) { continue }
            let changed =
                draft
                ?? DraftRow(copying: row.pointer, of: self, base: nil)
            var editor = RowEditor(changed)
            derivation.put(value, into: &editor)
            try changed.requireAllValues(of: entity)
            draft = changed
        }
        return draft.map { seal($0, version: row.version, in: &arena) }
    }
}
