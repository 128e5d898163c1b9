extension ManagedObject {
    /// Reads the attribute in a slot. Called by the accessors of `@Entity` classes.
    @inlinable
    public final nonisolated func property<Value: ManagedAttribute>(at slot: Int) -> Value {
        checkOwner()
        return Value.read(from: RowReader(row ?? fulfill(at: slot), of: self), slot: slot)
    }

    /// Writes the attribute in a slot. Called by the accessors of `@Entity` classes.
    ///
    /// - Precondition: The object's context is writable, and the attribute is not derived. (The latter is checked in
    ///   debug builds; in others, a value set to a derived attribute is lost with the save.)
    @inlinable
    public final nonisolated func setProperty<Value: ManagedAttribute>(_ value: Value, at slot: Int) {
        checkOwner()
        assert(
            !isDerived(slot),
            """
            A derived attribute cannot be set, because the store computes it. Change the values that it is derived \
            from instead.
            """)
        // The most common case is separate: code common to both cases would retain the draft for both.
        guard var editor = editorOfOpenDraft else { return setFirstProperty(value, at: slot) }
        Value.write(value, to: &editor, slot: slot)
        row = UnsafeRawPointer(editor.draft.row)
        state.insert(.written)
    }

    /// The editor of the row, if the object has one to write to. Not in the setter itself, which would retain the draft
    /// until its end.
    @inlinable
    @inline(__always)
    final nonisolated var editorOfOpenDraft: RowEditor? {
        guard let draft = objectStorage?.draft, !draft.isWatched else { return nil }
        return RowEditor(draft)
    }

    /// Writes an attribute if the object may not have a row to write to yet: the slow path of the setter.
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
        // The most common case is the class itself, which needs only a comparison of pointers. The cast calls the
        // runtime.
        if type(of: destination) == Object.self { return unsafeDowncast(destination, to: Object.self) }
        return destination as? Object
    }

    /// Writes the to-one relationship in a slot, and its inverse.
    public final nonisolated func setProperty<Object: ManagedObject>(_ value: Object?, at slot: Int) {
        checkOwner()
        if canSet(slot, to: value) { livingContext.graph.setToOne(relationship(at: slot), of: self, to: value) }
    }

    // Sets of a class that only the caller knows: code for arbitrary classes takes three times as long to read a set, and
    // ten times as long to set one.

    /// Reads the to-many relationship in a slot.
    @inlinable
    public final nonisolated func property<Object: ManagedObject>(at slot: Int) -> Set<Object> {
        readableToMany(at: slot)?.typedSet() ?? []
    }

    /// Writes the to-many relationship in a slot, and its inverses.
    ///
    /// - Complexity: One lookup for each object of the set, and further work for those that differ.
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

    /// Writes the ordered to-many relationship in a slot, and its inverses. If an object occurs twice, its first position
    /// counts.
    public final nonisolated func setProperty<Object: ManagedObject>(_ value: [Object], at slot: Int) {
        checkOwner()
        let destinations: [ManagedObject] = value
        guard canSet(slot, to: destinations) else { return }
        livingContext.graph.setToMany(relationship(at: slot), of: self, to: destinations)
    }
}

extension ManagedObject {
    /// Unavailable: the type of the property is neither one of an attribute nor one of a relationship.
    @available(
        *, unavailable,
        message: """
            The type of this property is no attribute's and no entity's. Let it conform to ManagedAttribute, as an enum \
            with a raw value can, or mark the property @Attribute(.codable).
            """
    )
    public final nonisolated func property<Value>(at slot: Int) -> Value { preconditionFailure("unavailable") }

    /// Unavailable: the type of the property is neither one of an attribute nor one of a relationship.
    @available(
        *, unavailable,
        message: """
            The type of this property is no attribute's and no entity's. Let it conform to ManagedAttribute, as an enum \
            with a raw value can, or mark the property @Attribute(.codable).
            """
    )
    public final nonisolated func setProperty<Value>(_ value: Value, at slot: Int) {
        preconditionFailure("unavailable")
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

    /// Used in debug builds.
    @usableFromInline
    final nonisolated func isDerived(_ slot: Int) -> Bool { home.layout.derivedSlots.contains(slot) }

    @usableFromInline
    static nonisolated var misuse: String {
        """
        An object was used outside the code that owns its context. Pass its id instead (`object.objectID`), and get \
        the object there with `use`.
        """
    }

    /// Reports the missing context to the stack's error handler, and returns the empty value that a property then reads
    /// as.
    @inline(never)
    final nonisolated func reportLostContext<Value>(_ empty: Value) -> Value {
        home.coordinator.directory.reportIncompleteRead(FetchError.contextIsGone(entity))
        return empty
    }

    /// The object's context, for changes, which are impossible without one.
    final nonisolated var livingContext: ManagedObjectContext {
        guard let context = home.context else {
            stopProgram(
                """
                The context of this \(entity.name) was released. Keep the MainContext or the Update as long as you \
                use its objects.
                """)
        }
        return context
    }

    /// Returns the destination of a to-one; `nil` if there is none or if the context has been released.
    @usableFromInline
    final nonisolated func readableToOne(at slot: Int) -> ManagedObject? {
        checkOwner()
        guard let key = ObjectKey(slot: RowFormat.word(in: row ?? fulfill(at: slot), at: slot)) else { return nil }
        guard let context = home.context else { return reportLostContext(nil) }
        let destination = context.object(for: key)
        if destination.row == nil { context.faults.noteStep(to: destination, through: slot, of: self) }
        if context.notesSteps { context.noteRead(of: destination.entity) }
        return destination
    }

    /// Returns a to-many with its members loaded; `nil` if the context has been released.
    @usableFromInline
    final nonisolated func readableToMany(at slot: Int) -> ToManyRelation? {
        checkOwner()
        guard let context = home.context else { return reportLostContext(nil) }
        return context.faults.toManyLazily(relationship(at: slot), of: self)
    }

    /// Returns a to-many with its members loaded, for changes.
    @usableFromInline
    final nonisolated func writableToMany(at slot: Int) -> ToManyRelation {
        checkOwner()
        return livingContext.faults.toManyToChange(relationship(at: slot), of: self)
    }

    @usableFromInline
    final nonisolated func changeToMany(
        at slot: Int, adding additions: Set<ManagedObject>, removing departures: [ManagedObject]
    ) {
        if additions.isEmpty, departures.isEmpty { return }
        guard canSet(slot, to: additions) else { return }
        livingContext.graph.changeToMany(relationship(at: slot), of: self, adding: additions, removing: departures)
    }

    final nonisolated func relationship(at slot: Int) -> Entity.Relationship {
        guard let relationship = entity.properties[slot].relationship else {
            stopProgram("\(entity.name).\(entity.properties[slot].name) is not a relationship in this model.")
        }
        return relationship
    }

    /// Returns the row with the value of a slot: the slow path of every property of a fault.
    @inline(never)
    @usableFromInline
    final nonisolated func fulfill(at slot: Int) -> UnsafeRawPointer {
        partialRow(holding: slot) ?? fulfill()
    }

    /// Reads the object's row.
    final nonisolated func fulfill() -> UnsafeRawPointer {
        guard let context = home.context else { return reportLostContext(home.layout.emptyRow.pointer) }
        return context.faults.fulfillLazily(self)
    }

    /// The row to write to. Every write obtains it from here.
    @usableFromInline
    final nonisolated var writableDraft: DraftRow {
        if let draft, !draft.isWatched { return draft }
        return beginDraft()
    }

    /// Gives the object a row of its own to write to: the slow path of the first write, and of the first write in a user
    /// event that is recorded.
    @inline(never)
    @usableFromInline
    final nonisolated func beginDraft() -> DraftRow {
        let context = livingContext
        return context.work.beginDraft(of: self, in: context)
    }

    /// The row last received from the store; `nil` for a fault and for an object that was never saved.
    package final nonisolated var storedRow: Row? {
        if let draft { return draft.base }
        guard let block, let row else { return nil }
        return Row(block: block, pointer: row)
    }

    /// Discards the object's unsaved values. It reverts to the values last received from the store, or becomes a fault if
    /// there are none or if others have changed them since.
    package final nonisolated func dropDraft() {
        if let base = storedRow, base.pointer != home.layout.emptyRow.pointer, !state.contains(.outdated) {
            return adopt(base)
        }
        dropValues()
        state.remove(.outdated)
    }
}
