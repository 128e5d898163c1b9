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
        if identities.count >= sweepThreshold { sweep() }
    }

    /// Removes unreferenced clean objects. No hook is called: they are released like any other object.
    @inline(never)
    func sweep() {
        if retainsRegisteredObjects || callsAtWork > 0 { return }
        let before = identities.sweep()
        sweepThreshold = max(Self.minimumSweepThreshold, identities.count * 2)
        // Last, so that the `deinit` of a class finds no call of the context running.
        _ = consume before
    }
}
