/// **Confined.** A row as attribute types read it. Made by the engine; valid during the call it is passed to.
public struct RowReader {
    @usableFromInline let row: UnsafeRawPointer
    // Not retained, as that of a `RowEditor`: the object is there while its property is read.
    /// The object whose property is read; `nil` if the row is read by itself.
    @usableFromInline unowned(unsafe) let object: ManagedObject?

    @inlinable
    package init(_ row: UnsafeRawPointer, of object: ManagedObject? = nil) {
        self.row = row
        self.object = object
    }

    /// Whether the slot holds no value.
    @inlinable
    public func isNull(_ slot: Int) -> Bool { RowFormat.isNull(row, slot) }

    /// An integer or Bool slot; 0 without a value.
    @inlinable
    public func int64(_ slot: Int) -> Int64 { Int64(bitPattern: RowFormat.word(row, slot)) }

    /// A floating point or date slot; 0 without a value.
    @inlinable
    public func double(_ slot: Int) -> Double { Double(bitPattern: RowFormat.word(row, slot)) }

    /// The bytes of a text, data, UUID, URL or decimal slot; empty without a value.
    @inlinable
    public func bytes(_ slot: Int) -> UnsafeRawBufferPointer { RowFormat.bytes(row, slot) }

    /// Whether the bytes of the slot are a reference to data in a file of its own.
    @inlinable
    package func isReference(_ slot: Int) -> Bool { RowFormat.isReference(row, slot) }

    /// A text slot; "" without a value.
    @inlinable
    public func string(_ slot: Int) -> String { String(decoding: bytes(slot), as: UTF8.self) }
}

@available(*, unavailable)
extension RowReader: Sendable {}
