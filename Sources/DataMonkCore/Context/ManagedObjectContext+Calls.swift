/// Where calls begin and end, hooks of objects and the calls that they make lying in between.
///
/// In between, objects are in hand that nobody holds yet, and a snapshot is being read. So what changes under everybody's
/// feet happens at the ends of the outermost call alone: a sweep before it, and after it the snapshot is given back if
/// others could wait for it.
extension ManagedObjectContext {
    /// Begins a call that fetches, saves or refreshes. `endCall` follows in any case.
    @inline(__always)
    func beginCall() {
        sweepIfDue()
        parent?.sweepFamilyIfDue()
        beginLoading()
    }

    private func sweepFamilyIfDue() {
        sweepIfDue()
        parent?.sweepFamilyIfDue()
    }

    /// Begins to read what a property touches: nothing is swept in the middle of somebody's loop.
    @inline(__always)
    func beginLoading() {
        callsAtWork += 1
        parent?.beginLoading()
    }

    @inline(__always)
    func endCall() {
        callsAtWork -= 1
        if let parent { return parent.endCall() }
        if callsAtWork == 0, let snapshot, turn.endsWithEachCall || snapshot.isScarce { giveBackSnapshot() }
    }

    /// Ends the reading of this turn.
    ///
    /// A store has few readers, and its log grows behind the oldest. A context that nobody runs would hold its snapshot for
    /// as long as it idles: it gives it back at the end of each call. So does whoever has the last one, so that one is always
    /// on its way.
    @inline(never)
    func giveBackSnapshot() {
        snapshot?.end()
        snapshot = nil
    }
}
