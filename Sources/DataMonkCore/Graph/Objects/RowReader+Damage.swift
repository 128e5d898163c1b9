import Foundation

/// Handles stored values that another program has written and that do not fit the attribute's type: an integer beyond the
/// width, bytes that are not a UUID, text that is not a URL. The rest of the row is valid, so the row is not refused; the
/// property reads as a substitute, which the object's context records.
extension RowReader {
    /// Records that a property reads as a substitute.
    @inline(never)
    @usableFromInline
    func noteDamage(_ slot: Int) {
        // A row without an object is only displayed, never saved.
        guard let object, let attribute = object.entity.properties[slot].attribute else { return }
        let error = StoreError.damagedValue(of: attribute, object.anyObjectID)
        guard let context = object.home.context else {
            return object.home.coordinator.directory.reportIncompleteRead(error)
        }
        context.faults.noteFailedRead(of: object, slot: slot, error)
    }
}

extension Entity.Attribute {
    /// Throws if a row holds a value that does not fit the attribute's type, for accesses that can throw.
    func requireSoundValue(in row: UnsafeRawPointer, of object: ManagedObject) throws(StoreError) {
        let reader = RowReader(row)
        if reader.isNull(slot) { return }
        let isSound =
            switch type {
            case .integer16: Int16(exactly: reader.int64(slot)) != nil
            case .integer32: Int32(exactly: reader.int64(slot)) != nil
            case .uuid: UUID(stored: reader.bytes(slot)) != nil
            case .uri: URL(string: reader.string(slot)) != nil
            case .string where isCodable: JSONScanner.isValid(reader.bytes(slot))
            default: true
            }
        if !isSound { throw StoreError.damagedValue(of: self, object.anyObjectID) }
    }
}

extension StoreError {
    /// Returns the error for a stored value that does not fit its attribute's type.
    static func damagedValue(of attribute: Entity.Attribute, _ id: AnyObjectID) -> StoreError {
        StoreError(
            .corrupt,
            """
            The store holds a value of \(id.entityName).\(attribute.name) that is not a valid \(attribute.type). Set \
            the attribute again, or repair the value in the file.
            """, entityName: id.entityName, objectURI: id.uri.absoluteString)
    }
}
