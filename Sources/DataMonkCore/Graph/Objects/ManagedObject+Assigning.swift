import Foundation

/// Assignments by property instead of by name, for code that has found its properties once and sets them for many objects.
/// Each tells whether it has changed anything, and changes nothing that is equal.
extension ManagedObject {
    /// Assigns a value to an attribute that accepts it and is neither derived nor an element of a composite attribute.
    ///
    /// - Returns: `false` if the attribute has the value already.
    /// - Throws: ``FetchError`` with the code `valueTooLarge`, or if the object has left its context; the errors of
    ///   ``fault()`` if its row cannot be read.
    package final nonisolated func assign(_ value: ManagedValue, to attribute: Entity.Attribute) throws -> Bool {
        if try attribute.holds(value, in: readRow(), of: self) { return false }
        let draft = writableDraft
        let taken = draft.takes {
            var editor = RowEditor(draft)
            attribute.write(value, to: &editor)
        }
        row = UnsafeRawPointer(draft.row)
        state.insert(.written)
        if !taken { throw FetchError.valueTooLarge(attribute.name, of: entity, id: anyObjectID) }
        return true
    }

    /// Assigns an object of the same context to a to-one, and the inverse.
    ///
    /// - Returns: `false` if the to-one leads to it already.
    package final nonisolated func assign(
        _ destination: ManagedObject?, to relationship: Entity.Relationship
    ) throws -> Bool {
        let old = ObjectKey(slot: RowFormat.word(in: try readRow(), at: relationship.slot))
        if old == destination?.key { return false }
        try destination?.requireMembership()
        livingContext.graph.setToOne(relationship, of: self, to: destination)
        return true
    }

    /// Assigns objects of the same context to a to-many, and the inverses. If an object occurs twice, its first position counts.
    ///
    /// - Parameter keepsOthers: Whether present members stay that are not among the objects. They come first.
    /// - Returns: `false` if the to-many has these members already, in this order if it has one.
    package final nonisolated func assign(
        _ members: [ManagedObject], to relationship: Entity.Relationship, keepingOthers keepsOthers: Bool
    ) throws -> Bool {
        try requireMembership()
        for member in members { try member.requireMembership() }
        let present = try livingContext.faults.loadedToMany(relationship, of: self)
        var wanted = members
        if keepsOthers {
            if members.allSatisfy(present.members.contains) { return false }
            wanted = present.elements + members
        } else if relationship.isOrdered ? present.elements == members : present.members == Set(members) {
            return false
        }
        livingContext.graph.setToMany(relationship, of: self, to: wanted)
        return true
    }

    /// Returns the value of an attribute, or the id of a to-one's object.
    ///
    /// - Throws: The errors of ``fault()`` if the object's row cannot be read.
    package final nonisolated func assigned(_ attribute: Entity.Attribute) throws -> ManagedValue {
        attribute.value(in: try readRow(), of: self)
    }

    /// Returns the object of a to-one, as a fault if it was not read.
    package final nonisolated func assigned(_ relationship: Entity.Relationship) throws -> ManagedObject? {
        ObjectKey(slot: RowFormat.word(in: try readRow(), at: relationship.slot)).map(livingContext.object)
    }

    private nonisolated func readRow() throws -> UnsafeRawPointer {
        if let row, state.isDisjoint(with: [.deleted, .inaccessible]) { return row }
        try requireMembership()
        return try row ?? requireContext().faults.fulfillOrThrow(self)
    }
}

extension Entity.Attribute {
    /// Returns `true` if a row has a value that `write` would not change.
    fileprivate func holds(_ value: ManagedValue, in row: UnsafeRawPointer, of object: ManagedObject) -> Bool {
        if RowFormat.isNull(in: row, at: slot) { return value.isNull }
        let word = RowFormat.word(in: row, at: slot)
        switch (type, value) {
        case (.string, .string(var text)): return text.isEqual(to: RowFormat.bytes(in: row, at: slot))
        case (.integer64, .int(let number)): return Int64(bitPattern: word) == number
        case (.integer16, _), (.integer32, _), (.integer64, _):
            return Int64(managedValue: value) == Int64(bitPattern: word)
        case (.boolean, _): return Bool(managedValue: value) == (word != 0)
        case (.double, _): return Double(managedValue: value) == Double(bitPattern: word)
        case (.float, _): return Float(managedValue: value).map(Double.init) == Double(bitPattern: word)
        case (.date, .date(let date)): return date.timeIntervalSinceReferenceDate == Double(bitPattern: word)
        case (.uri, .url(let url)):
            var text = url.absoluteString
            return text.isEqual(to: RowFormat.bytes(in: row, at: slot))
        case (.decimal, _):
            return Decimal(managedValue: value)?.stored == Decimal.read(from: RowReader(row), slot: slot)
        default: return self.value(in: row, of: object).hasSameBytes(as: value)
        }
    }
}

extension ManagedValue {
    /// Returns `true` if the value is equal, and the elements of a composite one have texts of the same bytes.
    fileprivate func hasSameBytes(as other: ManagedValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.dictionary(let left), .dictionary(let right)):
            left.count == right.count
                && left.allSatisfy { name, value in right[name].map { value.hasSameBytes(as: $0) } ?? false }
        default: self == other
        }
    }
}

extension String {
    /// Returns `true` if the bytes are those of the text, whatever is canonically equivalent.
    fileprivate mutating func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
        withUTF8 { $0.count == bytes.count && bytes.elementsEqual(UnsafeRawBufferPointer($0)) }
    }
}
