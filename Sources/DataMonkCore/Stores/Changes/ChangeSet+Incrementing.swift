import Foundation

extension ChangeSet {
    /// Puts increments that stand alone onto the rows that a transaction has now: `n = n + ?`, whatever version they
    /// started from. What others have written there stays.
    ///
    /// Not as SQL: SQLite's sum of two integers becomes a real number where it overflows, its decimals are doubles, and what
    /// the row derives from the sum is computed here. Nobody else writes the rows, which are locked where others may write
    /// beside the transaction, so nothing comes between the row that is read and the one that is written.
    ///
    /// - Parameters:
    ///   - stored: Returns the row of an object; `nil` if nobody has changed it.
    ///   - comparesValues: Whether equal versions do not say that a row is the one that its increments started from: a
    ///     store that has lost its last commits gives their versions again.
    /// - Returns: objects that cannot take their increments, with their stored rows: they are gone, or hold no value, or the
    ///   sum is none that the model allows. Their context finds out which, and says so.
    mutating func putIncrements(
        onto stored: (ObjectKey) throws -> StoredVersion?, layouts: [EntityLayout], comparesValues: Bool
    ) throws -> [StoredVersion] {
        var refused: [StoredVersion] = []
        var arena = RowArena()
        for index in updated.indices {
            guard let increments = increments(ofUpdate: index), increments.standAlone else { continue }
            guard let version = try stored(updated[index].key) else { continue }
            let layout = layouts[updated[index].key.entityIndex]
            if let row = version.row, let base = updated[index].base, row.version == base.version,
                !comparesValues || layout.changedSlots(of: row.pointer, from: base.pointer).isEmpty
            {
                continue
            }
            if let row = version.row,
                let change = layout.change(increments, over: row, of: updated[index].key, in: &arena)
            {
                updated[index] = change
            } else {
                refused.append(version)
            }
        }
        return refused
    }

    /// Indicates whether there are increments to be put onto other rows than those that they started from.
    var hasIncrementsAlone: Bool { increments.contains { $0?.standAlone == true } }

    /// Returns the changes of objects in a store that are only incremented.
    func incrementsAlone(in store: Int) -> [ObjectChange] {
        updated.indices.lazy.filter { increments(ofUpdate: $0)?.standAlone == true }.map { updated[$0] }
            .filter { $0.key.storeIndex == store }
    }

    /// Notes the increments of the object that is appended to `updated` next.
    mutating func noteIncrements(_ increments: Increments) {
        while self.increments.count < updated.count { self.increments.append(nil) }
        self.increments.append(increments)
    }

    /// Returns the increments of the updated object at an index, or `nil` if it has none.
    func increments(ofUpdate index: Int) -> Increments? { index < increments.count ? increments[index] : nil }
}

extension EntityLayout {
    /// The change of a row that is only incremented; nil if the sum is not allowed.
    fileprivate func change(
        _ increments: Increments, over base: Row, of key: ObjectKey, in arena: inout RowArena
    ) -> ChangeSet.ObjectChange? {
        let draft = DraftRow(copying: base.pointer, of: self, base: base)
        for (slot, amount) in increments.amounts {
            guard writeSum(slot, of: base.pointer, and: amount, to: draft) else { return nil }
            let rules = validation.rules(at: slot)
            if rules?.allow(UnsafeRawPointer(draft.row), objectKey: key) == false { return nil }
        }
        var changed = increments.slots
        let derived = deriving(draft, savedAt: Date())
        addDerivedChanges(of: derived, to: &changed)
        let row = seal(derived, version: RowFormat.version(after: base.version), in: &arena)
        return ChangeSet.ObjectChange(key: key, row: row, base: base, changed: changed)
    }
}
