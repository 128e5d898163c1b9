extension ManagedObjectContext {
    /// Fewer objects than these are not worth a sweep.
    static let minimumSweepThreshold = 1_024

    /// Every object that the context knows, in the order in which it came to know them; clean ones that nobody holds
    /// have left.
    ///
    /// - Complexity: a look at each registered object.
    public var registeredObjects: [ManagedObject] {
        requireOwner()
        sweep()
        return Array(identities.objects)
    }

    /// The object with an id, if the context knows it. Reads nothing, and may return a fault.
    public func registeredObject(for id: AnyObjectID) -> ManagedObject? {
        requireOwner()
        return id.directory === directory ? identities.find(id.key) : nil
    }

    /// Lets go of objects that nobody holds, if there are enough of them for that to be cheap: as many again have come
    /// since the last time as stayed then, so that each object pays for a few looks in its life.
    @inline(__always)
    func sweepIfDue() {
        if identities.count >= sweepThreshold { sweep() }
    }

    /// Lets go of clean objects that nobody holds. No hook is called: they are released, as any object is.
    @inline(never)
    func sweep() {
        if retainsRegisteredObjects || intakesAtWork > 0 { return }
        let before = identities.sweep()
        sweepThreshold = max(Self.minimumSweepThreshold, identities.count * 2)
        // Last: a class's `deinit` finds the context at rest.
        _ = consume before
    }
}
