extension ManagedObject {
    /// Reads the attribute in a slot: what the accessors of `@Entity` classes call.
    @inlinable
    public final nonisolated func property<Value: ManagedAttribute>(at slot: Int) -> Value {
        checkOwner()
        return Value.read(from: RowReader(row ?? fulfill(at: slot), of: self), slot: slot)
    }

    /// Writes the attribute in a slot: what the accessors of `@Entity` classes call.
    ///
    /// - Precondition: the object's context is one for writing, and the attribute is not derived. (That is checked in debug
    ///   builds; in others a value set there is lost with the save.)
    @inlinable
    public final nonisolated func setProperty<Value: ManagedAttribute>(_ value: Value, at slot: Int) {
        checkOwner()
        assert(
            !isDerived(slot),
            "A derived attribute cannot be set: the store computes it. Change what it is derived from.")
        // The commonest case by itself: where both meet, the draft would be retained for both.
        guard let draft = holdings?.draft, !draft.isWatched else { return setFirstProperty(value, at: slot) }
        var editor = RowEditor(draft)
        Value.write(value, to: &editor, slot: slot)
        row = UnsafeRawPointer(editor.draft.row)
        state.insert(.written)
    }

    /// Writes an attribute where the object may have no row to write in yet: the slow path of the setter.
    @inlinable
    @inline(never)
    final nonisolated func setFirstProperty<Value: ManagedAttribute>(_ value: Value, at slot: Int) {
        guard canSet(slot) else { return }
        var editor = RowEditor(writableDraft)
        Value.write(value, to: &editor, slot: slot)
        row = UnsafeRawPointer(editor.draft.row)
        state.insert(.written)
    }

    /// Reads the to-one relationship in a slot.
    @inlinable
    public final nonisolated func property<Object: ManagedObject>(at slot: Int) -> Object? {
        guard let destination = readableToOne(at: slot) else { return nil }
        // The commonest case: the very class. A comparison of pointers; the cast asks the runtime.
        if type(of: destination) == Object.self { return unsafeDowncast(destination, to: Object.self) }
        return destination as? Object
    }

    /// Writes the to-one relationship in a slot, and its inverse.
    public final nonisolated func setProperty<Object: ManagedObject>(_ value: Object?, at slot: Int) {
        checkOwner()
        if canSet(slot, to: value) { livingContext.setToOne(relationship(at: slot), of: self, to: value) }
    }

    // Sets of a class that only the caller knows: code for every class takes three times as long to read one, and ten
    // times as long to set it.

    /// Reads the to-many relationship in a slot.
    @inlinable
    public final nonisolated func property<Object: ManagedObject>(at slot: Int) -> Set<Object> {
        readableToMany(at: slot)?.typedSet() ?? []
    }

    /// Writes the to-many relationship in a slot, and its inverses.
    ///
    /// - Complexity: one look-up for each object that the set holds; work for those that differ.
    @inlinable
    public final nonisolated func setProperty<Object: ManagedObject>(_ value: Set<Object>, at slot: Int) {
        let change = writableToMany(at: slot).difference(to: value)
        changeToMany(at: slot, adding: change.additions, removing: change.departures)
    }

    /// Reads the ordered to-many relationship in a slot.
    @inlinable
    public final nonisolated func property<Object: ManagedObject>(at slot: Int) -> [Object] {
        readableToMany(at: slot)?.typedArray() ?? []
    }

    /// Writes the ordered to-many relationship in a slot, and its inverses. Of an object that occurs twice the first
    /// place counts.
    public final nonisolated func setProperty<Object: ManagedObject>(_ value: [Object], at slot: Int) {
        checkOwner()
        let destinations: [ManagedObject] = value
        guard canSet(slot, to: destinations) else { return }
        livingContext.setToMany(relationship(at: slot), of: self, to: destinations)
    }
}

extension ManagedObject {
    /// Stops code that uses the object where its context does not run: in debug builds, and with the package trait
    /// `OwnerChecks` in every build.
    @inlinable
    @inline(__always)
    final nonisolated func checkOwner() {
        #if OwnerChecks
            // No precondition: in optimized builds that stops without a word.
            if !isOwnedByCaller { fatalError(Self.misuse) }
        #else
            assert(isOwnedByCaller, Self.misuse)
        #endif
    }

    /// See `ManagedObjectContext.isOwnedByCaller`.
    @usableFromInline
    final nonisolated var isOwnedByCaller: Bool { home.context?.isOwnedByCaller?() ?? true }

    /// For debug builds.
    @usableFromInline
    final nonisolated func isDerived(_ slot: Int) -> Bool { home.layout.derivedSlots.contains(slot) }

    @usableFromInline
    static nonisolated var misuse: String {
        """
        An object was used outside of the code its context belongs to. Take its id across (`object.objectID`) and `use` \
        it there.
        """
    }

    /// What is read when the context is gone: nothing, and the stack's error handler hears of it.
    @inline(never)
    final nonisolated func reportLostContext<Value>(_ empty: Value) -> Value {
        home.coordinator.report(FetchError.contextIsGone(entity))
        return empty
    }

    /// The context, for changes, which can go nowhere without one.
    final nonisolated var livingContext: ManagedObjectContext {
        guard let context = home.context else {
            preconditionFailure(
                "This \(entity.name) outlived its context. Keep the MainContext or the Update as long as its objects.")
        }
        return context
    }

    /// The object that a to-one leads to; nil for none, and if the context is gone.
    @usableFromInline
    final nonisolated func readableToOne(at slot: Int) -> ManagedObject? {
        checkOwner()
        guard let destination = ObjectKey(slot: RowFormat.word(row ?? fulfill(at: slot), slot)) else { return nil }
        guard let context = home.context else { return reportLostContext(nil) }
        return context.destination(destination, of: self, slot: slot)
    }

    /// A to-many, loaded; nil if the context is gone.
    @usableFromInline
    final nonisolated func readableToMany(at slot: Int) -> ToManyRelation? {
        checkOwner()
        guard let context = home.context else { return reportLostContext(nil) }
        return context.toManyLazily(relationship(at: slot), of: self)
    }

    /// A to-many, loaded, for changes.
    @usableFromInline
    final nonisolated func writableToMany(at slot: Int) -> ToManyRelation {
        checkOwner()
        return livingContext.toManyToChange(relationship(at: slot), of: self)
    }

    @usableFromInline
    final nonisolated func changeToMany(
        at slot: Int, adding additions: Set<ManagedObject>, removing departures: [ManagedObject]
    ) {
        if additions.isEmpty, departures.isEmpty { return }
        guard canSet(slot, to: additions) else { return }
        livingContext.changeToMany(relationship(at: slot), of: self, adding: additions, removing: departures)
    }

    final nonisolated func relationship(at slot: Int) -> Entity.Relationship {
        guard let relationship = entity.properties[slot].relationship else {
            preconditionFailure("\(entity.name).\(entity.properties[slot].name) is no relationship in this model.")
        }
        return relationship
    }

    /// The row with the value of a slot: the slow path of every property of a fault.
    @inline(never)
    @usableFromInline
    final nonisolated func fulfill(at slot: Int) -> UnsafeRawPointer {
        partialRow(holding: slot) ?? fulfill()
    }

    /// Reads the object's row.
    final nonisolated func fulfill() -> UnsafeRawPointer {
        guard let context = home.context else { return reportLostContext(home.layout.emptyRow.pointer) }
        return context.fulfillLazily(self)
    }

    /// The row to write in. Whoever writes takes it from here.
    @usableFromInline
    final nonisolated var writableDraft: DraftRow {
        if let draft, !draft.isWatched { return draft }
        return beginDraft()
    }

    /// Gives the object a row of its own to write in: the slow path of the first write, and of the first in a user event
    /// that somebody keeps account of.
    @inline(never)
    @usableFromInline
    final nonisolated func beginDraft() -> DraftRow { livingContext.beginDraft(of: self) }

    /// The row that the store last gave, nil for a fault and for an object that was never saved.
    package final nonisolated var storedRow: Row? {
        if let draft { return draft.base }
        guard let block, let row else { return nil }
        return Row(block: block, pointer: row)
    }

    /// Gives up the object's unsaved values: it has those that the store last gave, or is a fault where it gave none or
    /// where others have changed them since.
    package final nonisolated func dropDraft() {
        if let base = storedRow, base.pointer != home.layout.emptyRow.pointer, !state.contains(.outdated) {
            return adopt(base)
        }
        dropValues()
        state.remove(.outdated)
    }
}
