/// **Confined.** The unsaved row of an object, as attribute types write it. The engine creates it; it is valid during the
/// call to which it is passed.
public struct RowEditor {
    // Not retained, since that would take half the time of writing a number. The draft stays alive while a value is
    // written: its object, or the code that created both, holds it. An attribute type receives the value and the editor,
    // but no object.
    @usableFromInline unowned(unsafe) let draft: DraftRow

    /// - Parameter draft: The draft to write to. It must stay alive until the last value has been written.
    @inlinable
    package init(_ draft: DraftRow) { self.draft = draft }

    /// Removes the value from the slot.
    @inlinable @inline(__always)
    public func setNull(_ slot: Int) {
        RowFormat.setWord(0, in: draft.row, at: slot)
        RowFormat.setNull(true, in: draft.row, at: slot)
    }

    /// Sets an integer or Bool slot.
    @inlinable @inline(__always)
    public func setInt64(_ value: Int64, at slot: Int) {
        RowFormat.setWord(UInt64(bitPattern: value), in: draft.row, at: slot)
        RowFormat.setNull(false, in: draft.row, at: slot)
    }

    /// Sets a floating-point or date slot.
    @inlinable @inline(__always)
    public func setDouble(_ value: Double, at slot: Int) {
        RowFormat.setWord(value.bitPattern, in: draft.row, at: slot)
        RowFormat.setNull(false, in: draft.row, at: slot)
    }

    /// Sets a text, data, UUID, URL or decimal slot.
    @inlinable
    public func setBytes(_ bytes: UnsafeRawBufferPointer, at slot: Int) {
        draft.setBytes(bytes, slot: slot)
    }

    /// Sets a text slot.
    @inlinable
    public func setString(_ value: String, at slot: Int) {
        var value = value
        _ = value.withUTF8 { draft.setBytes(UnsafeRawBufferPointer($0), slot: slot) }
    }
}

@available(*, unavailable)
extension RowEditor: Sendable {}
