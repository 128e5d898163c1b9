/// Removal of clean objects that nobody references any more. No hook is called: they are released like any other object.
extension ManagedObjectContext {
    /// All objects registered with the context, in no particular order. Unreferenced clean objects may have been removed.
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

    /// Lets sweeps look at some objects at a time, because others wait for the code that calls the context.
    ///
    /// - Parameter wantsTurn: Called when the owner of the context is to call `sweepInTurn()` in a turn of its own, after a
    ///   duration; `beginSweepInTurn()` if that is not zero.
    package func sweepInParts(_ wantsTurn: @escaping (Duration) -> Void) { sweeps.wantsTurn = wantsTurn }

    /// Removes unreferenced objects if enough objects were registered since the last sweep: as many as stayed then. Each
    /// object thus costs only a few checks during its lifetime, and those of later turns.
    @inline(__always)
    func sweepIfDue() {
        if identities.count >= sweeps.threshold { sweepNow() } else { removeGoneIfMany() }
    }

    @inline(never)
    private func sweepNow() {
        if sweeps.sweepsAll(identities.count) { sweep() } else { sweepPart() }
    }

    /// Sweeps at the end of a turn, if a sweep is due or at work. In a context that sweeps in parts, plans a sweep for later
    /// as well: what is let go of within a second after the last turn leaves without a further call.
    func sweepAfterTurn() {
        guard let wantsTurn = sweeps.wantsTurn else { return sweepIfDue() }
        if retainsRegisteredObjects || identities.count < SweepSchedule.minimum { return removeGoneIfMany() }
        if identities.count >= sweeps.threshold { sweepSoon() } else { removeGoneIfMany() }
        if let wait = sweeps.planAfterUse() { wantsTurn(wait) }
    }

    /// Begins to sweep again after the context has retained its objects, or ends.
    func retainingDidChange() {
        sweeps.threshold = retainsRegisteredObjects ? .max : SweepSchedule.minimum
        identities.partialSweep = IdentityMap.PartialSweep()
        if retainsRegisteredObjects || identities.count < SweepSchedule.minimum { return }
        if let wantsTurn = sweeps.wantsTurn, let wait = sweeps.planAfterUse() { wantsTurn(wait) }
    }

    /// Continues a sweep in parts. If a call is running, a later turn does.
    package func sweepInTurn() {
        if !sweeps.isAtWork { return }
        if maySweep {
            sweepSoon()
        } else if !retainsRegisteredObjects, let wait = sweeps.plan() {
            sweeps.wantsTurn?(wait)
        }
    }

    /// Begins a planned sweep, unless there is none to do.
    package func beginSweepInTurn() {
        let wait = sweeps.beginPlanned(isNeeded: !retainsRegisteredObjects && identities.count >= SweepSchedule.minimum)
        if let wait { sweeps.wantsTurn?(wait) }
        sweepInTurn()
    }

    /// Sweeps as much as a turn has time for.
    private func sweepSoon() {
        if identities.count <= SweepSchedule.smallContext { sweep() } else { sweepPart() }
    }

    /// Removes unreferenced clean objects.
    private func sweep() {
        if !maySweep { return }
        let start = ContinuousClock.now
        let removed = identities.sweep()
        // Those that stay, without those that a `deinit` registers, unless one resets the context.
        let count = identities.count
        release(consume removed)
        sweeps.didSweepAll(since: start, leaving: min(count, identities.count))
    }

    private func sweepPart() {
        if !maySweep { return }
        let start = ContinuousClock.now
        let (removed, isLast) = identities.sweepPart()
        let count = identities.count
        release(consume removed)
        sweeps.didSweepPart(since: start, isLast: isLast, leaving: min(count, identities.count))
        if !isLast { sweeps.wantsTurn?(.zero) }
    }

    /// Removes clean objects that others have deleted and nobody references, if there are many. That takes no look at the
    /// other objects.
    @inline(__always)
    func removeGoneIfMany() {
        if identities.areManyGone { removeGone() }
    }

    @inline(never)
    private func removeGone() {
        if maySweep { release(identities.removeGone()) }
    }

    private var maySweep: Bool {
        !retainsRegisteredObjects && stores.callsAtWork == 0 && !sweeps.isReleasing
    }

    /// Releases objects, and what the to-manys of removed ones reference. The `deinit` of a class finds no call of the context
    /// running, and may call it; only further sweeps wait, or they would be nested as deep as there are parts.
    private func release(_ removed: consuming ContiguousArray<ManagedObject>) {
        sweeps.isReleasing = true
        var objects = consume removed
        for object in objects where object.registration < 0 && object.hasToManys { object.toManys = [] }
        objects = []
        sweeps.isReleasing = false
    }
}

/// **Value.** The conditions under which a context looks for objects that nobody references.
struct SweepSchedule {
    /// The number of registered objects from which on the next call looks at them: all, or the next part of them. 0 while a
    /// sweep is to begin, or is at work in parts.
    var threshold = SweepSchedule.minimum
    /// The number of registered objects from which on a call looks at all of them. In a large context, objects that retain
    /// each other across parts do not leave otherwise, nor would a sweep in parts keep up with a long turn that registers more
    /// and more.
    private var wholeThreshold = SweepSchedule.minimumOfWhole
    /// Asks for a turn after a duration. `nil` if sweeps look at all objects.
    var wantsTurn: ((Duration) -> Void)?
    /// Indicates whether removed objects are being released.
    var isReleasing = false
    /// The time that the parts of the present sweep have taken.
    private var spent = Duration.zero
    /// The end of the rest after the last sweep.
    private var restEnd = ContinuousClock.now
    /// The end of the last turn.
    private var lastUse = ContinuousClock.now
    /// Indicates whether a turn was asked for that begins a sweep.
    private var isPlanned = false

    /// The number of objects below which a sweep is not worthwhile.
    static let minimum = 1_024
    /// As many objects are always looked at together.
    static let smallContext = 4_096
    private static let minimumOfWhole = 131_072
    /// The shortest rest: a sweep costs the collections of to-manys, which are made anew when they are read.
    private static let shortestRest = Duration.seconds(1)
    /// The rest after a sweep, by the time that it took: sweeps after turns take 4 % of the time of a busy owner.
    private static let restFactor = 25

    var isAtWork: Bool { threshold == 0 }

    /// Returns `true` if a call looks at all of a number of registered objects.
    func sweepsAll(_ count: Int) -> Bool {
        wantsTurn == nil || count >= wholeThreshold || count <= Self.smallContext
    }

    /// Notes the end of a turn, and plans a sweep as `plan()` does.
    mutating func planAfterUse() -> Duration? {
        lastUse = .now
        return plan()
    }

    /// Returns the time until the turn in which the next sweep begins, if that has to be asked for.
    mutating func plan() -> Duration? {
        if isPlanned { return nil }
        isPlanned = true
        return max(restEnd - .now, Self.shortestRest)
    }

    /// Begins a planned sweep, unless the rest is not over. Returns the time until a further turn if one is needed: for that,
    /// or because there was use only just now.
    mutating func beginPlanned(isNeeded: Bool) -> Duration? {
        isPlanned = false
        if !isNeeded { return nil }
        let now = ContinuousClock.now
        if restEnd <= now { threshold = 0 }
        return restEnd > now || lastUse + Self.shortestRest > now ? plan() : nil
    }

    mutating func didSweepAll(since start: ContinuousClock.Instant, leaving count: Int) {
        setThreshold(max(Self.minimum, count * 2))
        wholeThreshold = max(Self.minimumOfWhole, count * 2)
        beginRest(after: .now - start)
    }

    mutating func didSweepPart(since start: ContinuousClock.Instant, isLast: Bool, leaving count: Int) {
        spent += .now - start
        setThreshold(isLast ? max(Self.minimum, count * 2) : 0)
        if !isLast { return }
        wholeThreshold = max(Self.minimumOfWhole, min(wholeThreshold, count * 2))
        beginRest(after: spent)
    }

    /// Notes that the context has no objects any more.
    mutating func didReset() {
        setThreshold(Self.minimum)
        wholeThreshold = Self.minimumOfWhole
    }

    /// Sets the threshold, unless a `deinit` has let the context retain its objects meanwhile.
    private mutating func setThreshold(_ count: Int) {
        if threshold < .max { threshold = count }
    }

    private mutating func beginRest(after duration: Duration) {
        restEnd = .now + max(Self.shortestRest, duration * Self.restFactor)
        spent = .zero
    }
}
