/// **Confined.** A row as attribute types read it. The engine creates it; it is valid during the call to which it is
/// passed.
public struct RowReader {
    @usableFromInline let row: UnsafeRawPointer
    // Not retained, like the draft of a `RowEditor`: the object stays alive while its property is read.
    /// The object whose property is read, or `nil` if the row is read without an object.
    @usableFromInline unowned(unsafe) let object: ManagedObject?

    @inlinable
    package init(_ row: UnsafeRawPointer, of object: ManagedObject? = nil) {
        self.row = row
        self.object = object
    }

    /// Returns `true` if the slot has no value.
    @inlinable
    public func isNull(_ slot: Int) -> Bool { RowFormat.isNull(in: row, at: slot) }

    /// Returns the value of an integer or Bool slot, or 0 if it has none.
    @inlinable
    public func int64(_ slot: Int) -> Int64 { Int64(bitPattern: RowFormat.word(in: row, at: slot)) }

    /// Returns the value of a floating-point or date slot, or 0 if it has none.
    @inlinable
    public func double(_ slot: Int) -> Double { Double(bitPattern: RowFormat.word(in: row, at: slot)) }

    /// Returns the bytes of a text, data, UUID, URL or decimal slot, which are empty if it has no value.
    @inlinable
    public func bytes(_ slot: Int) -> UnsafeRawBufferPointer { RowFormat.bytes(in: row, at: slot) }

    /// Returns `true` if the bytes of the slot are a reference to data in a separate file.
    @inlinable
    package func isReference(_ slot: Int) -> Bool { RowFormat.isReference(in: row, at: slot) }

    /// Returns the value of a text slot, or "" if it has none.
    @inlinable
    public func string(_ slot: Int) -> String { String(decoding: bytes(slot), as: UTF8.self) }
}

@available(*, unavailable)
extension RowReader: Sendable {}
