/// **Confined.** One save. Determines the changes to write next, until everything is saved; the caller writes them, and
/// waits for that in its own way. They come as a `PendingSave`, because a change set would be copied.
///
///     var steps = SaveSteps(work)
///     var result: Result<CommitResult, any Error>?
///     while let pending = try steps.next(after: result) {
///         do { result = .success(try write(pending.takeChanges())) } catch { result = .failure(error) }
///     }
struct SaveSteps {
    private enum State {
        case ready
        case writing(PendingSave, attempt: Int)
        /// Nothing is unsaved but the metadata of stores.
        case writingMetadata
    }

    private let work: UnitOfWork
    private var state = State.ready

    init(_ work: UnitOfWork) { self.work = work }

    /// Returns the changes to write next; `nil` when everything is saved.
    ///
    /// - Parameter result: The result of writing the last changes; `nil` at first.
    /// - Throws: The errors of `save()`, and that of the result. All changes are still there. Nothing was written,
    ///   unless a commit has the code `outcomeUnknown` or `savedInPart`.
    mutating func next(after result: Result<CommitResult, any Error>?) throws -> PendingSave? {
        do {
            return try advance(result?.get())
        } catch {
            work.didNotSave()
            work.context.noteFailedWriting(error)
            throw error
        }
    }

    private mutating func advance(_ result: CommitResult?) throws -> PendingSave? {
        var attempt = 1
        switch (state, result) {
        case (.writing(let pending, let last), let result?):
            if try work.settle(pending, with: result, attempt: last) { return nil }
            attempt += last
        case (.writingMetadata, _): return nil
        default:
            if work.changed.isEmpty {
                try work.context.faults.requireNoFailedAccesses()
                return metadata()
            }
            try work.prepareToSave()
        }
        guard let pending = try work.freezeChanges(attempt) else { return metadata() }
        state = .writing(pending, attempt: attempt)
        return pending
    }

    /// Returns the empty change set with which waiting metadata is written.
    private mutating func metadata() -> PendingSave? {
        state = .writingMetadata
        return work.isMetadataWaiting ? PendingSave(of: work) : nil
    }
}

@available(*, unavailable)
extension SaveSteps: Sendable {}
