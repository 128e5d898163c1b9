import Foundation

/// **Shared.** The layout of the rows of one entity's objects, and the class of these objects.
///
/// There is one slot for each property, in the order of `Entity.properties`: a class's accessors know their slots as
/// numbers, and a sub-entity's rows begin like its superentity's.
package final class EntityLayout: Sendable {
    /// **Value.** The content of a slot.
    package enum SlotKind: UInt8, Sendable {
        /// An integer or Bool, as Int64.
        case integer
        /// A Double, Float or Date, as the bits of a Double.
        case double
        /// Text (String, URI, Decimal) in the tail, as UTF-8.
        case text
        /// Bytes (Data, UUID, transformables) in the tail.
        case bytes
        /// The destination's key.
        case toOne
        /// Nothing: the objects at the other end hold the relationship.
        case toMany

        /// A Boolean value indicating whether the value is in the tail.
        @inlinable package var isLong: Bool { self == .text || self == .bytes }
    }

    package let entity: Entity
    package let objectClass: ManagedObject.Type
    package let kinds: [SlotKind]
    package let longSlots: [Int]
    package let toOneSlots: [Int]
    /// The uniqueness constraints of the entity's objects.
    package let uniqueness: [UniquenessConstraint]
    /// The checks made when an object is saved.
    let validation: ValidationPlan
    /// The slots of properties that exist only in memory. Their values stay with their object and are not visible to stores
    /// or other contexts.
    let transientSlots: [Int]
    /// The derivations from the object's own values, computed when it is saved.
    let ownDerivations: [Derivation]
    /// The derivations from other objects, computed by stores.
    let relatedDerivations: [Derivation]
    /// The reason why a store cannot hold the entity, or `nil` if it can.
    let derivationError: ModelError?
    /// The slots of derived attributes, which cannot be set.
    let derivedSlots: [Int]
    package let relationships: [Entity.Relationship]
    /// The number of bytes before the row pointer.
    package let headerSize: Int
    /// The number of bytes of the slots.
    package let slotsSize: Int
    /// The values of a new object: the model's defaults, with version 0.
    package let initialRow: Row
    /// The number of bytes of `initialRow` after the row pointer.
    let initialSize: Int
    /// A row without values, which stands in for the row of an object whose row no longer exists.
    package let emptyRow: Row
    /// The initial content of a stored row: no values except the defaults of transient attributes, which are in no store.
    package let blankRow: Row
    /// The number of bytes of `blankRow` after the row pointer.
    package let blankSize: Int

    package var slotCount: Int { kinds.count }

    package init(_ entity: Entity) {
        self.entity = entity
        objectClass = entity.managedObjectClass ?? ManagedObject.self
        kinds = entity.properties.map(Self.kind)
        longSlots = kinds.indices.filter { [kinds] in kinds[$0].isLong }
        toOneSlots = kinds.indices.filter { [kinds] in kinds[$0] == .toOne }
        uniqueness = UniquenessConstraint.all(of: entity)
        validation = ValidationPlan(entity: entity, objectClass: objectClass)
        transientSlots = entity.properties.filter { $0.isTransient && $0.relationship?.isToMany != true }.map(\.slot)
        var derivations: [Derivation] = []
        do {
            derivations = try Derivation.all(of: entity)
            derivationError = nil
        } catch {
            derivationError = error
        }
        ownDerivations = derivations.filter { !$0.isRelated }
        relatedDerivations = derivations.filter(\.isRelated)
        derivedSlots = entity.attributes.filter(\.isDerived).map(\.slot)
        relationships = entity.relationships
        headerSize = RowFormat.headerSize(slots: kinds.count)
        slotsSize = kinds.count * 8
        var arena = RowArena()
        emptyRow = Self.makeEmptyRow(slots: kinds.count, in: &arena)
        initialRow = Self.makeDefaultRow(
            of: entity.attributes, slots: kinds.count, longSlots, from: emptyRow, in: &arena)
        initialSize = Self.size(of: initialRow.pointer, slotsSize: slotsSize, longSlots: longSlots)
        blankRow = Self.makeDefaultRow(
            of: entity.attributes.filter(\.isTransient), slots: kinds.count, longSlots, from: emptyRow, in: &arena)
        blankSize = Self.size(of: blankRow.pointer, slotsSize: slotsSize, longSlots: longSlots)
    }

    private static func kind(of property: Entity.Property) -> SlotKind {
        switch property {
        case .relationship(let relationship):
            return relationship.isToMany ? .toMany : .toOne
        case .attribute(let attribute):
            switch attribute.type {
            case .integer16, .integer32, .integer64, .boolean: return .integer
            case .double, .float, .date: return .double
            case .string, .uri, .decimal: return .text
            case .binary, .uuid, .transformable, .undefined, .objectID, .composite: return .bytes
            }
        }
    }

    private static func makeEmptyRow(slots: Int, in arena: inout RowArena) -> Row {
        let header = RowFormat.headerSize(slots: slots)
        let memory = arena.allocate(header + slots * 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: header + slots * 8)
        let pointer = memory + header
        for slot in 0..<slots { RowFormat.setNull(true, in: pointer, at: slot) }
        return arena.row(at: pointer)
    }

    /// Creates a row with the defaults of some attributes.
    private static func makeDefaultRow(
        of attributes: [Entity.Attribute], slots: Int, _ longSlots: [Int], from empty: Row, in arena: inout RowArena
    ) -> Row {
        let draft = DraftRow(copying: empty.pointer, slots: slots, size: slots * 8, longSlots: longSlots, base: nil)
        var editor = RowEditor(draft)
        for attribute in attributes where !attribute.defaultValue.isNull {
            attribute.write(attribute.defaultValue, to: &editor)
        }
        let header = RowFormat.headerSize(slots: slots)
        let memory = arena.allocate(header + draft.size)
        memory.copyMemory(from: draft.row - header, byteCount: header + draft.size)
        return arena.row(at: memory + header)
    }

    /// Returns the number of bytes from the row pointer to the end of the tail.
    @inlinable
    package func size(of row: UnsafeRawPointer) -> Int {
        Self.size(of: row, slotsSize: slotsSize, longSlots: longSlots)
    }

    @inlinable
    static func size(of row: UnsafeRawPointer, slotsSize: Int, longSlots: [Int]) -> Int {
        var end = slotsSize
        for slot in longSlots {
            let word = RowFormat.word(in: row, at: slot)
            end = max(end, RowFormat.tailOffset(word) &+ RowFormat.tailCount(word))
        }
        return end
    }

    /// Returns a row with the draft's values and the given version, without waste in its tail.
    package func seal(_ draft: DraftRow, version: Int64, in arena: inout RowArena) -> Row {
        let source = UnsafeRawPointer(draft.row)
        var tail = 0
        for slot in longSlots { tail &+= RowFormat.bytes(in: source, at: slot).count }
        let memory = arena.allocate(headerSize + slotsSize + tail)
        memory.copyMemory(from: source - headerSize, byteCount: headerSize + slotsSize)
        let row = memory + headerSize
        RowFormat.setVersion(version, of: row)
        var end = slotsSize
        for slot in longSlots {
            if RowFormat.isNull(in: source, at: slot) { continue }
            let bytes = RowFormat.bytes(in: source, at: slot)
            if let start = bytes.baseAddress, bytes.count > 0 {
                (row + end).copyMemory(from: start, byteCount: bytes.count)
            }
            // Set empty values too: the draft's offset may be beyond the end of this row.
            let mark = RowFormat.word(in: source, at: slot) & RowFormat.referenceBit
            RowFormat.setWord(RowFormat.tailWord(offset: end, count: bytes.count) | mark, in: row, at: slot)
            end += bytes.count
        }
        return arena.row(at: row)
    }

    /// Seals the draft and returns it as a row in the same memory. Returns `nil` if a copy would be smaller or would have
    /// other values.
    package func sealInPlace(_ draft: DraftRow, version: Int64) -> Row? {
        guard draft.fitsBlock, draft.refusedSlot < 0, transientSlots.isEmpty, ownDerivations.isEmpty else { return nil }
        var tail = 0
        for slot in longSlots { tail &+= RowFormat.bytes(in: draft.row, at: slot).count }
        guard slotsSize &+ tail == draft.size else { return nil }
        let block = draft.shareMemory()
        RowFormat.setVersion(version, of: draft.row)
        draft.isSealed = true
        return Row(block: block, pointer: UnsafeRawPointer(draft.row))
    }

    /// Returns a row with the draft's values for stores and other contexts, in which transient properties have their
    /// initial values.
    func sealForStores(_ draft: DraftRow, version: Int64, in arena: inout RowArena) -> Row {
        if transientSlots.isEmpty { return seal(draft, version: version, in: &arena) }
        let copy = DraftRow(copying: UnsafeRawPointer(draft.row), of: self, base: draft.base)
        copyTransients(from: blankRow.pointer, to: copy)
        return seal(copy, version: version, in: &arena)
    }

    /// Returns `true` if a slot has the same value in two rows.
    @inlinable
    package func isEqual(_ slot: Int, in left: UnsafeRawPointer, and right: UnsafeRawPointer) -> Bool {
        if RowFormat.isNull(in: left, at: slot) != RowFormat.isNull(in: right, at: slot) { return false }
        if !kinds[slot].isLong { return RowFormat.word(in: left, at: slot) == RowFormat.word(in: right, at: slot) }
        // A reference differs from data with the same content, since comparing must not read files.
        if RowFormat.isReference(in: left, at: slot) != RowFormat.isReference(in: right, at: slot) { return false }
        let first = RowFormat.bytes(in: left, at: slot)
        let second = RowFormat.bytes(in: right, at: slot)
        if first.count != second.count { return false }
        return Self.isEqual(first, second)
    }

    /// Returns `true` if two buffers of the same length hold the same bytes.
    @usableFromInline
    static func isEqual(_ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, let other = others.baseAddress else { return true }
        return memcmp(start, other, bytes.count) == 0
    }

    /// Returns the slots in which a draft differs from its base row.
    package func changedSlots(of draft: DraftRow) -> SlotSet {
        guard let base = draft.base else { return SlotSet() }
        return changedSlots(of: draft.row, from: base.pointer)
    }

    /// Returns the slots in which a draft differs from its base row for another reason than increments.
    func changesWithoutIncrements(of draft: DraftRow) -> SlotSet {
        var changed = changedSlots(of: draft)
        for slot in increments(of: draft)?.amounts.keys ?? [:].keys { changed.remove(slot) }
        return changed
    }

    /// Returns the slots in which a row differs from another one.
    func changedSlots(of row: UnsafeRawPointer, from other: UnsafeRawPointer) -> SlotSet {
        var changed = SlotSet()
        for slot in 0..<slotCount where !isEqual(slot, in: row, and: other) { changed.insert(slot) }
        return changed
    }

    /// Returns the slots in which a draft differs from a row.
    func changedSlots(of draft: DraftRow, from row: UnsafeRawPointer) -> SlotSet {
        changedSlots(of: draft.row, from: row)
    }

    /// Returns the slots of `changedSlots` that a store must write, without transient and derived ones.
    func storedChanges(of draft: DraftRow) -> SlotSet {
        var changed = changedSlots(of: draft)
        for slot in transientSlots { changed.remove(slot) }
        for slot in derivedSlots { changed.remove(slot) }
        return changed
    }
}

extension EntityLayout {
    /// Copies the transient values of a row, which are in no stored row, to a draft.
    func copyTransients(from row: UnsafeRawPointer, to draft: DraftRow) {
        for slot in transientSlots { copy(slot, from: row, to: draft) }
    }

    package func copy(_ slot: Int, from row: UnsafeRawPointer, to draft: DraftRow) {
        if RowFormat.isNull(in: row, at: slot) {
            RowFormat.setWord(0, in: draft.row, at: slot)
            RowFormat.setNull(true, in: draft.row, at: slot)
        } else if kinds[slot].isLong {
            let bytes = RowFormat.bytes(in: row, at: slot)
            if RowFormat.isReference(in: row, at: slot) {
                draft.setReference(bytes, slot: slot)
            } else {
                draft.setBytes(bytes, slot: slot)
            }
        } else {
            RowFormat.setWord(RowFormat.word(in: row, at: slot), in: draft.row, at: slot)
            RowFormat.setNull(false, in: draft.row, at: slot)
        }
    }
}
