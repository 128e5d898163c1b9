#if Postgres
    import DataMonkCore
    import Foundation

    extension ServerTransaction {
        /// Nothing is read: nearly each date is between two microseconds, and the other values of its row may be large.
        func rowsAsStored(after changes: ChangeSet) -> [StoredVersion] {
            var arena = RowArena()
            return (changes.inserted + changes.updated).compactMap { change in
                rounded(change, in: &arena).map { StoredVersion(key: change.key, row: $0) }
            }
        }

        /// Returns the row of a change as the server has it; `nil` if that is the change's own.
        private func rounded(_ change: ChangeSet.ObjectChange, in arena: inout RowArena) -> Row? {
            let layout = store.directory.layout(of: change.key)
            var draft: DraftRow?
            for attribute in layout.entity.attributes where !attribute.isTransient && attribute.isRounded {
                let value = attribute.value(in: change.row.pointer)
                let rounded = attribute.rounded(value)
                if rounded == value { continue }
                let copy = draft ?? DraftRow(copying: change.row.pointer, of: layout, base: nil)
                draft = copy
                var editor = RowEditor(copy)
                attribute.write(rounded, to: &editor)
            }
            return draft.map { layout.seal($0, version: change.row.version, in: &arena) }
        }
    }

    extension Entity.Attribute {
        /// A Boolean value indicating whether the server may have another value than the one that is written: a date, or an
        /// element of a composite attribute. An object has a value of any other type as the server has it.
        fileprivate var isRounded: Bool { type == .date || type == .composite }

        /// Returns a value as the server has it.
        fileprivate func rounded(_ value: ManagedValue) -> ManagedValue {
            switch (type, value) {
            case (.date, .date(let date)):
                // Reason for try?: a date that the server cannot represent is refused by the write.
                return .date((try? date.roundedForPostgres()) ?? date)
            // Of an element only: the object has that of an attribute as a Float already.
            case (.float, .double(let number)): return .double(Double(Float(number)))
            case (.composite, .dictionary(var values)):
                for element in elements { values[element.name] = values[element.name].map(element.rounded) }
                return .dictionary(values)
            default: return value
            }
        }
    }
#endif
