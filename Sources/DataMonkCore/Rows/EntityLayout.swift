/// **Shared.** How the rows of one entity's objects are laid out, and with which class they are made.
///
/// A slot a property, in `Entity.properties` order: a class's accessors know their slots as numbers, and a sub-entity's
/// rows begin like its superentity's.
package final class EntityLayout: Sendable {
    /// **Value.** What a slot holds.
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
        /// Nothing: the objects at the other end know.
        case toMany

        /// Whether the value lies in the tail.
        @inlinable package var isLong: Bool { self == .text || self == .bytes }
    }

    package let entity: Entity
    package let objectClass: ManagedObject.Type
    package let kinds: [SlotKind]
    package let longSlots: [Int]
    package let toOneSlots: [Int]
    /// What no two objects may have in common.
    package let uniqueness: [UniquenessConstraint]
    /// What is checked of an object when it is saved.
    let validation: ValidationPlan
    /// Properties that live in memory only: their values stay with their object, and no store or other context sees them.
    let transientSlots: [Int]
    /// What is derived from the object's own values when it is saved.
    let ownDerivations: [Derivation]
    /// What is derived from other objects, by the stores.
    let relatedDerivations: [Derivation]
    /// Why a store cannot keep the entity; nil if it can.
    let derivationError: ModelError?
    /// Attributes that are derived, and may not be set.
    let derivedSlots: [Int]
    package let relationships: [Entity.Relationship]
    /// Bytes before the row pointer.
    package let headerSize: Int
    /// Bytes of the slots.
    package let slotsSize: Int
    /// A new object's values: the model's defaults, version 0.
    package let initialRow: Row
    /// Bytes of `initialRow`, from the row pointer on.
    let initialSize: Int
    /// No value anywhere: what an object reads as whose row is gone.
    package let emptyRow: Row
    /// What a stored row begins as: no value but the defaults of transient attributes, which no store has.
    package let blankRow: Row
    /// Bytes of `blankRow`, from the row pointer on.
    package let blankSize: Int

    package var slotCount: Int { kinds.count }

    package init(_ entity: Entity) {
        self.entity = entity
        objectClass = entity.managedObjectClass ?? ManagedObject.self
        kinds = entity.properties.map(Self.kind)
        longSlots = kinds.indices.filter { [kinds] in kinds[$0].isLong }
        toOneSlots = kinds.indices.filter { [kinds] in kinds[$0] == .toOne }
        uniqueness = UniquenessConstraint.all(of: entity)
        validation = ValidationPlan(entity, objectClass)
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
        initialSize = Self.size(of: initialRow.pointer, slotsSize, longSlots)
        blankRow = Self.makeDefaultRow(
            of: entity.attributes.filter(\.isTransient), slots: kinds.count, longSlots, from: emptyRow, in: &arena)
        blankSize = Self.size(of: blankRow.pointer, slotsSize, longSlots)
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
        for slot in 0..<slots { RowFormat.setNull(true, pointer, slot) }
        return arena.row(at: pointer)
    }

    /// A row with the defaults of some attributes.
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

    /// Bytes from the row pointer to the end of the tail.
    @inlinable
    package func size(of row: UnsafeRawPointer) -> Int { Self.size(of: row, slotsSize, longSlots) }

    @inlinable
    static func size(of row: UnsafeRawPointer, _ slotsSize: Int, _ longSlots: [Int]) -> Int {
        var end = slotsSize
        for slot in longSlots {
            let word = RowFormat.word(row, slot)
            end = max(end, RowFormat.tailOffset(word) &+ RowFormat.tailCount(word))
        }
        return end
    }

    /// A row with the draft's values and nothing else: no waste in its tail, and the given version.
    package func seal(_ draft: DraftRow, version: Int64, in arena: inout RowArena) -> Row {
        let source = UnsafeRawPointer(draft.row)
        var tail = 0
        for slot in longSlots { tail &+= RowFormat.bytes(source, slot).count }
        let memory = arena.allocate(headerSize + slotsSize + tail)
        memory.copyMemory(from: source - headerSize, byteCount: headerSize + slotsSize)
        let row = memory + headerSize
        RowFormat.setVersion(version, row)
        var end = slotsSize
        for slot in longSlots {
            if RowFormat.isNull(source, slot) { continue }
            let bytes = RowFormat.bytes(source, slot)
            if let start = bytes.baseAddress, bytes.count > 0 {
                (row + end).copyMemory(from: start, byteCount: bytes.count)
            }
            // Empty values too: the draft's offset may lie behind the end of this row.
            let mark = RowFormat.word(source, slot) & RowFormat.referenceBit
            RowFormat.setWord(RowFormat.tailWord(offset: end, count: bytes.count) | mark, row, slot)
            end += bytes.count
        }
        return arena.row(at: row)
    }

    /// The draft as it lies as a row: it is sealed from then on. Nil if a copy would be smaller, or another row.
    package func sealInPlace(_ draft: DraftRow, version: Int64) -> Row? {
        guard let block = draft.block, transientSlots.isEmpty, ownDerivations.isEmpty else { return nil }
        var tail = 0
        for slot in longSlots { tail &+= RowFormat.bytes(draft.row, slot).count }
        guard slotsSize &+ tail == draft.size else { return nil }
        RowFormat.setVersion(version, draft.row)
        draft.isSealed = true
        return Row(block: block, pointer: UnsafeRawPointer(draft.row))
    }

    /// A row with the draft's values as stores and other contexts get it: transient ones are what they begin as.
    func sealForStores(_ draft: DraftRow, version: Int64, in arena: inout RowArena) -> Row {
        if transientSlots.isEmpty { return seal(draft, version: version, in: &arena) }
        let copy = DraftRow(copying: UnsafeRawPointer(draft.row), of: self, base: draft.base)
        copyTransients(from: blankRow.pointer, to: copy)
        return seal(copy, version: version, in: &arena)
    }

    /// Whether a slot holds the same in two rows.
    @inlinable
    package func isEqual(_ slot: Int, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
        if RowFormat.isNull(left, slot) != RowFormat.isNull(right, slot) { return false }
        if !kinds[slot].isLong { return RowFormat.word(left, slot) == RowFormat.word(right, slot) }
        // A reference is not the data that reads the same: comparing must not read files.
        if RowFormat.isReference(left, slot) != RowFormat.isReference(right, slot) { return false }
        let first = RowFormat.bytes(left, slot)
        let second = RowFormat.bytes(right, slot)
        if first.count != second.count { return false }
        return first.elementsEqual(second)
    }

    /// The slots in which a draft differs from the row it started from.
    package func changedSlots(of draft: DraftRow) -> SlotSet {
        var changed = SlotSet()
        guard let base = draft.base else { return changed }
        for slot in 0..<slotCount where !isEqual(slot, UnsafeRawPointer(draft.row), base.pointer) {
            changed.insert(slot)
        }
        return changed
    }

    /// As `changedSlots`, without transient and derived ones: what a store has to write.
    func storedChanges(of draft: DraftRow) -> SlotSet {
        var changed = changedSlots(of: draft)
        for slot in transientSlots { changed.remove(slot) }
        for slot in derivedSlots { changed.remove(slot) }
        return changed
    }
}

extension EntityLayout {
    /// Copies the transient values of a row, which no stored row has, into a draft.
    func copyTransients(from row: UnsafeRawPointer, to draft: DraftRow) {
        for slot in transientSlots { copy(slot, from: row, to: draft) }
    }

    /// Copies one slot's value from a row into a draft.
    func copy(_ slot: Int, from row: UnsafeRawPointer, to draft: DraftRow) {
        if RowFormat.isNull(row, slot) {
            RowFormat.setWord(0, draft.row, slot)
            RowFormat.setNull(true, draft.row, slot)
        } else if kinds[slot].isLong {
            let bytes = RowFormat.bytes(row, slot)
            if RowFormat.isReference(row, slot) {
                draft.setReference(bytes, slot: slot)
            } else {
                draft.setBytes(bytes, slot: slot)
            }
        } else {
            RowFormat.setWord(RowFormat.word(row, slot), draft.row, slot)
            RowFormat.setNull(false, draft.row, slot)
        }
    }
}
