/// **Confined.** An object's unsaved row as attribute types write it. Made by the engine; valid during the call it is
/// passed to.
public struct RowEditor {
    // Not retained, which would be half of what the write of a number takes: a draft stays where it is while a value is
    // written, held by its object or by whoever made both. An attribute type gets the value and the editor, no object.
    @usableFromInline unowned(unsafe) let draft: DraftRow

    /// - Parameter draft: stays alive until the last value has been written.
    @inlinable
    package init(_ draft: DraftRow) { self.draft = draft }

    /// Takes the value out of the slot.
    @inlinable @inline(__always)
    public func setNull(_ slot: Int) {
        RowFormat.setWord(0, draft.row, slot)
        RowFormat.setNull(true, draft.row, slot)
    }

    /// Fills an integer or Bool slot.
    @inlinable @inline(__always)
    public func setInt64(_ value: Int64, _ slot: Int) {
        RowFormat.setWord(UInt64(bitPattern: value), draft.row, slot)
        RowFormat.setNull(false, draft.row, slot)
    }

    /// Fills a floating point or date slot.
    @inlinable @inline(__always)
    public func setDouble(_ value: Double, _ slot: Int) {
        RowFormat.setWord(value.bitPattern, draft.row, slot)
        RowFormat.setNull(false, draft.row, slot)
    }

    /// Fills a text, data, UUID, URL or decimal slot.
    @inlinable
    public func setBytes(_ bytes: UnsafeRawBufferPointer, _ slot: Int) {
        draft.setBytes(bytes, slot: slot)
    }

    /// Fills a text slot.
    @inlinable
    public func setString(_ value: String, _ slot: Int) {
        var value = value
        _ = value.withUTF8 { draft.setBytes(UnsafeRawBufferPointer($0), slot: slot) }
    }
}

@available(*, unavailable)
extension RowEditor: Sendable {}
