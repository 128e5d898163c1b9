/// **Value.** What the references among a context's unsaved changes lean on: a commit need not check those that nobody
/// can have broken.
///
///     no changes --change, advance--> began at a generation --saved or taken back--> no changes
///
/// Where the context stands when it saves proves nothing: a fetch has moved it since.
struct ReferenceBasis {
    /// Where the context stood when its unsaved changes began; nil if it stands there still.
    private var began: Generation?
    /// Whether something was referred to that the context did not know to exist.
    private var isUncertain = false

    /// The context, which has unsaved changes, leaves a generation.
    mutating func willLeave(_ generation: Generation) {
        if began == nil { began = generation }
    }

    /// A relationship was set to an object, or of one.
    @inline(__always)
    mutating func note(_ object: ManagedObject) {
        if object.row == nil || object.registration < 0 || object.state.contains(.inaccessible) { isUncertain = true }
    }

    /// The generation since which nobody may have committed for the references to be whole; nil if they are to be checked
    /// in any case.
    func generation(now: Generation) -> Generation? { isUncertain ? nil : began ?? now }
}
