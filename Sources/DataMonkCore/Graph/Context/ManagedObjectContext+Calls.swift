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
