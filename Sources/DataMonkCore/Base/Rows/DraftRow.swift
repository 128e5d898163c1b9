/// **Confined.** The row of an object with unsaved changes: a private copy with the layout of any row, which may still
/// change.
///
/// Setting a text or data value appends it to the tail, and the old value remains there as waste. A new value that is no
/// longer than the old one overwrites it, and the last value of the tail grows in place. When the row needs more memory,
/// the values move without the waste, so that the memory of a row is proportional to its values, however often they are
/// set. The draft does not record which properties have changed: `changedSlots` compares it with ``base``.
///
/// A row has at most `RowFormat.maximumSize` bytes. A value that would exceed this is refused: the slot keeps its old
/// value, and ``refusedSlot`` is set. Calls that can throw then do so; after a property setter, the next save does.
///
/// A new object's draft is allocated in a block of its context's arena, after the previous one. If its values still fit
/// there at the save, it is sealed in place and becomes the shared row without a copy. So is one whose row takes a block of
/// its own anyway: its memory becomes that block.
///
///     open --sealInPlace, by a save--> sealed --the save is written--> gone: the object has the row
///                                        +------it is not----------> unsealed: the object continues with an open copy
///
/// Nobody writes to a sealed draft: a save that was not written unseals its drafts before any other code runs.
@usableFromInline
package final class DraftRow: ObjectStorage {
    /// The row pointer. It moves when the tail grows: an object keeps a copy that ``ManagedObject`` renews after writing a
    /// long value.
    @usableFromInline
    @exclusivity(unchecked)  // Confined; each access is one load or store.
    package var row: UnsafeMutableRawPointer

    /// The row that the changes started from, or `nil` for an object that was never saved.
    @exclusivity(unchecked)  // As above.
    package var base: Row?

    /// A Boolean value indicating whether the next write must be announced, because the draft has outlived the user event
    /// in which it was changed.
    @usableFromInline
    @exclusivity(unchecked)  // As above.
    package var isWatched = false

    /// A Boolean value indicating whether the memory belongs to a row.
    @exclusivity(unchecked)  // As above.
    var isSealed = false

    @exclusivity(unchecked)  // As above.
    private var memory: UnsafeMutableRawPointer
    /// The block that contains `memory`, or `nil` if the draft owns its memory.
    @exclusivity(unchecked)  // As above.
    package private(set) var block: RowBlock?
    @exclusivity(unchecked)  // As above.
    private var capacity: Int
    /// The number of bytes in use, from the start of `memory`.
    @exclusivity(unchecked)  // As above.
    private var used: Int
    /// The end of the tail that was copied from the base row, in which slots may share bytes. After it, each value has its
    /// own bytes.
    @exclusivity(unchecked)  // As above.
    private var ownTail: Int
    private let header: Int
    /// The start of the tail, relative to the start of `memory`.
    private let tail: Int
    /// The slots whose values are in the tail.
    private let longSlots: [Int]

    /// **Confined.** The parts that few drafts have: every draft pays for one reference.
    private final class RareParts {
        var increments: Increments?
        var start: Row?
    }

    @exclusivity(unchecked)  // As above.
    private var rareParts: RareParts?

    /// The increments since the draft was made, or `nil`. Some of it may have been set since:
    /// `EntityLayout.increments(of:)` tells.
    var increments: Increments? {
        get { rareParts?.increments }
        set { if rareParts != nil || newValue != nil { parts.increments = newValue } }
    }

    /// The row with which the store's is compared, if it is older than ``base``: a copy of that with the values that a child
    /// had read when it changed them. Not `base` itself, with which this context compares its own changes.
    var start: Row? {
        get { rareParts?.start }
        set { if rareParts != nil || newValue != nil { parts.start = newValue } }
    }

    private var parts: RareParts {
        if let rareParts { return rareParts }
        let parts = RareParts()
        rareParts = parts
        return parts
    }

    /// A slot for which a value was refused, since the row would have become too long; -1 if there is none.
    @exclusivity(unchecked)  // As above.
    package var refusedSlot = -1

    /// Creates a copy of `source`, which has `slots` slots and `size` bytes after its row pointer.
    init(copying source: UnsafeRawPointer, slots: Int, size: Int, longSlots: [Int], base: Row?) {
        header = RowFormat.headerSize(slots: slots)
        tail = header + slots * 8
        self.longSlots = longSlots
        used = header + size
        capacity = (used + 64 + 15) & ~15
        memory = .allocate(byteCount: capacity, alignment: 8)
        memory.copyMemory(from: source - header, byteCount: used)
        row = memory + header
        ownTail = used
        self.base = base
        super.init(.changed)
    }

    /// Creates a copy of `source`, the initial row of an object, in a block of `arena` and with room for the object's
    /// values. `source` has `header` bytes before its row pointer and `size` after it, `slotsSize` of them its slots.
    init(
        initial source: UnsafeRawPointer, header: Int, slotsSize: Int, size: Int, longSlots: [Int],
        in arena: inout RowArena
    ) {
        self.header = header
        tail = header + slotsSize
        self.longSlots = longSlots
        used = header + size
        capacity = (used + Self.room + 7) & ~7
        memory = arena.allocate(capacity)
        block = arena.block
        memory.copyMemory(from: source - header, byteCount: used)
        row = memory + header
        ownTail = used
        super.init(.changed)
    }

    /// The room for the texts and data of a new object. Unused room is returned to the arena.
    private static var room: Int { 256 }

    deinit {
        if block == nil { memory.deallocate() }
    }

    /// Returns the room after the values to the arena, if nothing was allocated after it yet.
    package func returnUnusedSpace(to arena: inout RowArena) {
        // Compare the blocks too: the end of one block can be the start of another.
        guard let block, block === arena.block, memory + capacity == arena.free else { return }
        capacity = (used + 7) & ~7
        arena.free = memory + capacity
    }

    /// Returns whether nothing but the row is in an arena's block, of which it takes less than a half.
    package func wastesBlock(of arena: RowArena) -> Bool {
        guard let block, block === arena.block, memory == block.base else { return false }
        return memory + capacity == arena.free && 2 * capacity < block.capacity
    }

    /// A Boolean value indicating whether the memory of a new object's draft can belong to a row: it is in an arena's block,
    /// or takes one of its own without much unused room.
    package var fitsBlock: Bool {
        block != nil || base == nil && used >= RowArena.largestBlockSize && capacity - used <= used / 8
    }

    /// Returns the block of the draft's memory, which becomes one if the draft owns it.
    package func shareMemory() -> RowBlock {
        if let block { return block }
        let shared = RowBlock(owning: memory, capacity: capacity)
        block = shared
        return shared
    }

    /// The number of bytes after the row pointer, including waste.
    package var size: Int { used - header }

    /// Sets a long value in a slot. Returns `false` if the value was refused because the row would be too long; see
    /// ``refusedSlot``.
    @discardableResult
    @usableFromInline
    package func setBytes(_ bytes: UnsafeRawBufferPointer, slot: Int) -> Bool {
        assert(!isSealed, "A row that may be shared cannot be changed")
        let word = RowFormat.word(in: row, at: slot)
        let oldCount = RowFormat.tailCount(word)
        var offset = RowFormat.tailOffset(word)
        let hasOwnPlace = header + offset >= ownTail
        if bytes.count > oldCount || !hasOwnPlace {
            // The last value of the tail grows in place.
            if !hasOwnPlace || header + offset + oldCount != used { offset = used - header }
            let end = header + offset + bytes.count
            if end > capacity { return moveValues(toSet: bytes, slot) }
            used = end
        }
        if let start = bytes.baseAddress, bytes.count > 0 {
            // A memmove, since the bytes may come from this row.
            (row + offset).copyMemory(from: start, byteCount: bytes.count)
        }
        RowFormat.setWord(RowFormat.tailWord(offset: offset, count: bytes.count), in: row, at: slot)
        RowFormat.setNull(false, in: row, at: slot)
        return true
    }

    /// Calls `write`, and returns `false` if a value was refused in it. Does not change an earlier refusal.
    func takes(_ write: () -> Void) -> Bool {
        let earlier = refusedSlot
        refusedSlot = -1
        defer { refusedSlot = earlier }
        write()
        return refusedSlot < 0
    }

    /// Sets a slot to a reference to data in a separate file.
    package func setReference(_ bytes: UnsafeRawBufferPointer, slot: Int) {
        if !setBytes(bytes, slot: slot) { return }
        RowFormat.setWord(RowFormat.word(in: row, at: slot) | RowFormat.referenceBit, in: row, at: slot)
    }

    /// Sets a value for which there is no room: moves all values to other memory, without the waste between them.
    @inline(never)
    private func moveValues(toSet bytes: UnsafeRawBufferPointer, _ slot: Int) -> Bool {
        var needed = tail + bytes.count
        for other in longSlots where other != slot { needed += RowFormat.bytes(in: row, at: other).count }
        if needed > RowFormat.maximumSize {
            refusedSlot = slot
            return false
        }
        let larger = (newCapacity(toHold: needed) + 15) & ~15
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        moved.copyMemory(from: memory, byteCount: tail)
        let target = moved + header
        var end = tail
        for other in longSlots where other != slot && !RowFormat.isNull(in: row, at: other) {
            let mark = RowFormat.word(in: row, at: other) & RowFormat.referenceBit
            end = Self.put(
                RowFormat.bytes(in: row, at: other), mark: mark, in: target, slot: other, at: end, header: header)
        }
        // Copy before the old memory is freed, which may contain the bytes.
        end = Self.put(bytes, mark: 0, in: target, slot: slot, at: end, header: header)
        RowFormat.setNull(false, in: target, at: slot)
        if block == nil { memory.deallocate() }
        block = nil
        memory = moved
        capacity = larger
        used = end
        ownTail = tail
        row = target
        return true
    }

    /// Returns twice the capacity if values have become longer, or the same if the memory was filled by waste. A first large
    /// value gets the room that small ones set after it may need: moving it again would cost more.
    private func newCapacity(toHold needed: Int) -> Int {
        if needed <= capacity / 2 { return capacity }
        if needed >= max(capacity * 2, RowArena.largestBlockSize) {
            return max(needed, min(needed + Self.room, RowFormat.maximumSize))
        }
        return max(needed, min(capacity * 2, RowFormat.maximumSize))
    }

    /// Writes a value at the end of a tail. Returns the new end.
    private static func put(
        _ bytes: UnsafeRawBufferPointer, mark: UInt64, in row: UnsafeMutableRawPointer, slot: Int, at end: Int,
        header: Int
    ) -> Int {
        if let start = bytes.baseAddress, bytes.count > 0 {
            (row + (end - header)).copyMemory(from: start, byteCount: bytes.count)
        }
        RowFormat.setWord(RowFormat.tailWord(offset: end - header, count: bytes.count) | mark, in: row, at: slot)
        return end + bytes.count
    }
}

@available(*, unavailable)
extension DraftRow: Sendable {}
