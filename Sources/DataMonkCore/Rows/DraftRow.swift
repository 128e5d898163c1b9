/// **Confined.** The row of an object with unsaved changes: its own copy, laid out like any row, which may still change.
///
/// A text or data value that is set is appended to the tail, and the old value stays there as waste. A new value that is no
/// longer than the old one takes its place, and the last value of the tail grows where it is. When the row needs more
/// memory, the values move there without the waste: the memory of a row is in proportion to its values, however often they
/// are set. Which properties changed is not recorded: `changedSlots` compares with ``base``.
///
/// A row has at most `RowFormat.maximumSize` bytes. A value beyond that is refused: the slot keeps its old value, and
/// ``refusedSlot`` is set. Calls that can throw do so; after a property setter the next save does.
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
    /// The start of the tail, from the start of `memory` on.
    private let tail: Int
    /// The slots whose values lie in the tail.
    private let longSlots: [Int]

    /// What was incremented since the draft was made; nil for nothing. Some of it may have been set since:
    /// `EntityLayout.increments(of:)` tells.
    @exclusivity(unchecked)  // As above.
    var increments: Increments?

    /// A slot for which a value was refused, since the row would have become too long, or since the attribute cannot hold
    /// the sum of an increment; -1 if there is none.
    @exclusivity(unchecked)  // As above.
    package var refusedSlot = -1

    /// A copy of `source`, a row of `layout`.
    package convenience init(copying source: UnsafeRawPointer, of layout: EntityLayout, base: Row?) {
        self.init(
            copying: source, slots: layout.slotCount, size: layout.size(of: source), longSlots: layout.longSlots,
            base: base)
    }

    /// A copy of `source`, which has `slots` slots and `size` bytes from its row pointer on.
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

    /// The initial row of `layout`, for an object that was never saved: in a block of `arena`, with room for its values.
    package init(of layout: EntityLayout, in arena: inout RowArena) {
        let source = layout.initialRow.pointer
        header = layout.headerSize
        tail = header + layout.slotsSize
        longSlots = layout.longSlots
        used = header + layout.initialSize
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

    /// Puts a long value into a slot. Returns false if it was refused, since the row would be too long; see ``refusedSlot``.
    @discardableResult
    @usableFromInline
    package func setBytes(_ bytes: UnsafeRawBufferPointer, slot: Int) -> Bool {
        assert(!isSealed, "A row that may be shared does not change")
        let word = RowFormat.word(row, slot)
        let oldCount = RowFormat.tailCount(word)
        var offset = RowFormat.tailOffset(word)
        let hasOwnPlace = header + offset >= ownTail
        if bytes.count > oldCount || !hasOwnPlace {
            // The last value of the tail grows where it is.
            if !hasOwnPlace || header + offset + oldCount != used { offset = used - header }
            let end = header + offset + bytes.count
            if end > capacity { return moveValues(toSet: bytes, slot) }
            used = end
        }
        if let start = bytes.baseAddress, bytes.count > 0 {
            // memmove: the bytes may come from this very row.
            (row + offset).copyMemory(from: start, byteCount: bytes.count)
        }
        RowFormat.setWord(RowFormat.tailWord(offset: offset, count: bytes.count), row, slot)
        RowFormat.setNull(false, row, slot)
        return true
    }

    /// Calls `write`, and returns false if a value was refused in it. An earlier refusal stays noted.
    func takes(_ write: () -> Void) -> Bool {
        let earlier = refusedSlot
        refusedSlot = -1
        defer { refusedSlot = earlier }
        write()
        return refusedSlot < 0
    }

    /// Puts a reference to data in a file of its own into a slot.
    package func setReference(_ bytes: UnsafeRawBufferPointer, slot: Int) {
        if !setBytes(bytes, slot: slot) { return }
        RowFormat.setWord(RowFormat.word(row, slot) | RowFormat.referenceBit, row, slot)
    }

    /// Sets a value for which there is no room: all values move into other memory, without the waste between them.
    @inline(never)
    private func moveValues(toSet bytes: UnsafeRawBufferPointer, _ slot: Int) -> Bool {
        var needed = tail + bytes.count
        for other in longSlots where other != slot { needed += RowFormat.bytes(row, other).count }
        if needed > RowFormat.maximumSize {
            refusedSlot = slot
            return false
        }
        let larger = (newCapacity(toHold: needed) + 15) & ~15
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        moved.copyMemory(from: memory, byteCount: tail)
        let target = moved + header
        var end = tail
        for other in longSlots where other != slot && !RowFormat.isNull(row, other) {
            let mark = RowFormat.word(row, other) & RowFormat.referenceBit
            end = Self.put(RowFormat.bytes(row, other), mark, target, other, end, header)
        }
        // Before the old memory goes: the bytes may lie there.
        end = Self.put(bytes, 0, target, slot, end, header)
        RowFormat.setNull(false, target, slot)
        if block == nil { memory.deallocate() }
        block = nil
        memory = moved
        capacity = larger
        used = end
        ownTail = tail
        row = target
        return true
    }

    /// Twice the memory as long as values become longer; the same where mere waste has filled it.
    private func newCapacity(toHold needed: Int) -> Int {
        if needed <= capacity / 2 { return capacity }
        return max(needed, min(capacity * 2, RowFormat.maximumSize))
    }

    /// Puts a value at the end of a tail; returns the new end.
    private static func put(
        _ bytes: UnsafeRawBufferPointer, _ mark: UInt64, _ row: UnsafeMutableRawPointer, _ slot: Int, _ end: Int,
        _ header: Int
    ) -> Int {
        if let start = bytes.baseAddress, bytes.count > 0 {
            (row + (end - header)).copyMemory(from: start, byteCount: bytes.count)
        }
        RowFormat.setWord(RowFormat.tailWord(offset: end - header, count: bytes.count) | mark, row, slot)
        return end + bytes.count
    }
}

@available(*, unavailable)
extension DraftRow: Sendable {}

extension DraftRow {
    /// Throws if the row has refused a value.
    ///
    /// - Parameter id: the object that has the row, if there is one.
    func requireAllValues(of entity: Entity, _ id: AnyObjectID? = nil) throws {
        if refusedSlot < 0 { return }
        throw FetchError.valueTooLarge(entity.properties[refusedSlot].name, entity, id)
    }
}

extension FetchError {
    /// A row cannot take a value, for its length.
    static func valueTooLarge(_ name: String, _ entity: Entity, _ id: AnyObjectID?) -> FetchError {
        FetchError(
            .valueTooLarge,
            """
            The value of \(entity.name).\(name) was not set, since the values of one object may not add up to 2 GiB. \
            Distribute the data over several objects, or keep it in files.
            """, entityName: entity.name, keyPath: name, objectID: id)
    }
}
