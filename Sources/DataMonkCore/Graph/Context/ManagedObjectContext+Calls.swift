/// The beginnings and ends of calls, between which hooks of objects run, with calls of their own.
///
/// In between, some objects are in use but not yet referenced, and a snapshot is being read. Changes that would affect
/// them therefore happen only at the ends of the outermost call: a sweep before it, and after it the release of the
/// snapshot if others may be waiting for it.
extension ManagedObjectContext {
    /// Begins a call that fetches, saves or refreshes. `endCall` must follow in any case.
    @inline(__always)
    func beginCall() {
        sweepFamilyIfDue()
        beginLoading()
    }

    @inline(__always)
    func sweepFamilyIfDue() {
        sweepIfDue()
        for ancestor in backing.ancestors { ancestor.sweepIfDue() }
    }

    /// Begins to read the values of a property. There is no sweep, which could interfere with a loop in the calling code.
    @inline(__always)
    func beginLoading() {
        stores.callsAtWork += 1
    }

    @inline(__always)
    func endCall() {
        stores.callsAtWork -= 1
        if stores.callsAtWork == 0 { stores.callsDidEnd() }
    }
}

extension ManagedObjectContext {
    /// The number of objects below which a sweep is not worthwhile.
    static let minimumSweepThreshold = 1_024

    /// All objects registered with the context, in the order of their registration. Unreferenced clean objects may have
    /// been removed.
    ///
    /// - Complexity: One look at each registered object.
    public var registeredObjects: [ManagedObject] {
        requireOwner()
        sweep()
        return Array(identities.objects)
    }

    /// Returns the registered object with an id, or `nil` if there is none. Reads nothing, and may return a fault.
    public func registeredObject(for id: AnyObjectID) -> ManagedObject? {
        requireOwner()
        return id.directory === directory ? identities.find(id.key) : nil
    }

    /// Removes unreferenced objects if enough objects were registered since the last sweep: as many as stayed then. Each
    /// object thus costs only a few checks during its lifetime.
    @inline(__always)
    func sweepIfDue() {
        if identities.count >= sweepThreshold { sweep() } else { removeGoneIfMany() }
    }

    /// Removes clean objects that others have deleted and nobody references, if there are many. That takes no look at the
    /// other objects.
    @inline(__always)
    func removeGoneIfMany() {
        if identities.areManyGone { removeGone() }
    }

    @inline(never)
    private func removeGone() {
        if retainsRegisteredObjects || stores.callsAtWork > 0 { return }
        let gone = identities.removeGone()
        // Last, as after a sweep.
        _ = consume gone
    }

    /// Removes unreferenced clean objects. No hook is called: they are released like any other object.
    @inline(never)
    func sweep() {
        if retainsRegisteredObjects || stores.callsAtWork > 0 { return }
        let before = identities.sweep()
        sweepThreshold = max(Self.minimumSweepThreshold, identities.count * 2)
        // Last, so that the `deinit` of a class finds no call of the context running.
        _ = consume before
    }
}
