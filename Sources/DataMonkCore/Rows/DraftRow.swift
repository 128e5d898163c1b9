/// **Confined.** The row of an object with unsaved changes: its own copy, laid out like any row, which may still change.
///
/// Text and data that are set are appended to the tail; what they replace stays there as waste until the row is sealed.
/// Where a new value is no longer than the one before it, it takes its place, so a property that is set in a loop does
/// not grow the row. Which properties changed is not recorded: `changedSlots` compares with ``base``.
///
/// A new object's draft lies in a block of its context's arena, behind the one before it. If it has found room there until
/// the save, it is sealed as it lies and becomes the row that everybody sees, without a copy:
///
///     open --sealInPlace, by a save--> sealed --the save is written--> gone: the object has the row
///                                        +------it is not----------> unsealed: the object goes on with an open copy
///
/// Nobody writes to a sealed draft: a save that was not written unseals before anybody is called.
@usableFromInline
package final class DraftRow: ObjectHoldings {
    /// The row pointer. Moves when the tail grows: an object keeps a copy that ``ManagedObject`` renews after writes
    /// of long values.
    @usableFromInline
    @exclusivity(unchecked)  // Confined; each access is one load or store.
    package var row: UnsafeMutableRawPointer

    /// The row that the changes started from; nil for an object that was never saved.
    @exclusivity(unchecked)  // As above.
    package var base: Row?

    /// Whether the next write has to announce itself: the draft has outlived the user event that it was changed in.
    @usableFromInline
    @exclusivity(unchecked)  // As above.
    package var isWatched = false

    /// Whether the memory is a row's.
    @exclusivity(unchecked)  // As above.
    var isSealed = false

    @exclusivity(unchecked)  // As above.
    private var memory: UnsafeMutableRawPointer
    /// Where `memory` lies; nil if it is the draft's own.
    @exclusivity(unchecked)  // As above.
    package private(set) var block: RowBlock?
    @exclusivity(unchecked)  // As above.
    private var capacity: Int
    /// Bytes in use, from the start of `memory`.
    @exclusivity(unchecked)  // As above.
    private var used: Int
    /// Up to here the tail was copied from the base row, whose bytes other slots may share; behind it each value has
    /// its own place.
    @exclusivity(unchecked)  // As above.
    private var ownTail: Int
    private let header: Int

    /// A copy of `source`, which has `slots` slots and `size` bytes from its row pointer on.
    package init(copying source: UnsafeRawPointer, slots: Int, size: Int, base: Row?) {
        header = RowFormat.headerSize(slots: slots)
        used = header + size
        capacity = (used + 64 + 15) & ~15
        memory = .allocate(byteCount: capacity, alignment: 8)
        memory.copyMemory(from: source - header, byteCount: used)
        row = memory + header
        ownTail = used
        self.base = base
        super.init(.changed)
    }

    /// As above, of an object that was never saved: in a block of `arena`, with room for its values.
    package init(copying source: UnsafeRawPointer, slots: Int, size: Int, in arena: inout RowArena) {
        header = RowFormat.headerSize(slots: slots)
        used = header + size
        capacity = (used + Self.room + 7) & ~7
        memory = arena.allocate(capacity)
        block = arena.block
        memory.copyMemory(from: source - header, byteCount: used)
        row = memory + header
        ownTail = used
        super.init(.changed)
    }

    /// For the texts and data of a new object. What it does not take goes back.
    private static var room: Int { 256 }

    deinit {
        if block == nil { memory.deallocate() }
    }

    /// Gives the room behind the values back to the arena that it is from, if nothing lies behind it yet.
    package func giveBackRoom(to arena: inout RowArena) {
        // The block too: where one ends another one may begin.
        guard let block, block === arena.block, memory + capacity == arena.free else { return }
        capacity = (used + 7) & ~7
        arena.free = memory + capacity
    }

    /// Bytes from the row pointer on, waste included.
    package var size: Int { used - header }

    /// Puts a long value into a slot.
    @usableFromInline
    package func setBytes(_ bytes: UnsafeRawBufferPointer, slot: Int) {
        assert(!isSealed, "A row that may be shared does not change")
        let word = RowFormat.word(row, slot)
        let oldOffset = RowFormat.tailOffset(word)
        let oldCount = RowFormat.tailCount(word)
        let offset: Int
        if bytes.count <= oldCount, header + oldOffset >= ownTail {
            offset = oldOffset
        } else {
            precondition(
                used + bytes.count < RowFormat.maximumSize,
                "The values of one object may not add up to 2 GiB: keep large data in external files.")
            reserve(bytes.count)
            offset = used - header
            used += bytes.count
        }
        if let start = bytes.baseAddress, bytes.count > 0 {
            // memmove: the bytes may come from this very row.
            (row + offset).copyMemory(from: start, byteCount: bytes.count)
        }
        RowFormat.setWord(RowFormat.tailWord(offset: offset, count: bytes.count), row, slot)
        RowFormat.setNull(false, row, slot)
    }

    /// Puts a reference to data in a file of its own into a slot.
    package func setReference(_ bytes: UnsafeRawBufferPointer, slot: Int) {
        setBytes(bytes, slot: slot)
        RowFormat.setWord(RowFormat.word(row, slot) | RowFormat.referenceBit, row, slot)
    }

    private func reserve(_ count: Int) {
        if used + count <= capacity { return }
        let larger = (max(capacity * 2, used + count) + 15) & ~15
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        moved.copyMemory(from: memory, byteCount: used)
        if block == nil { memory.deallocate() }
        block = nil
        memory = moved
        capacity = larger
        row = moved + header
    }
}

@available(*, unavailable)
extension DraftRow: Sendable {}
