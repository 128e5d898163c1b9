/// **Value.** The generation on which the references among a context's unsaved changes are based: a commit need not check
/// references that no one can have broken since.
///
///     no changes --change, advance--> began at a generation --saved or discarded--> no changes
///
/// The context's generation at the time of the save proves nothing, because a fetch may have advanced it since.
struct ReferenceBasis {
    /// The context's generation when its unsaved changes began; `nil` if it is still the same.
    private var began: Generation?
    /// Indicates whether a relationship was set to, or of, an object that the context did not know to exist.
    private var isUncertain = false

    /// Called before the context, which has unsaved changes, leaves a generation.
    mutating func willLeave(_ generation: Generation) {
        if began == nil { began = generation }
    }

    /// Records that a relationship was set to an object, or of one.
    @inline(__always)
    mutating func note(_ object: ManagedObject) {
        if object.row == nil || object.registration < 0 || object.state.contains(.inaccessible) { isUncertain = true }
    }

    /// Indicates whether the context is still at the generation at which its unsaved changes began.
    var isOfPresent: Bool { began == nil }

    /// Returns the generation since which there must be no other commit for the references to be intact; `nil` if they
    /// must be checked in any case.
    func generation(now: Generation) -> Generation? { isUncertain ? nil : began ?? now }
}
