/// **Confined.** Carries an error that a function of ours threw past SQLite, which keeps only a code and a sentence.
///
/// Shared by a connection, its statements and its functions, all in the hands of one owner.
@usableFromInline
final class CallbackErrors {
    private var latest: (any Error)?

    func keep(_ error: any Error) { latest = error }

    /// The error, once.
    func take() -> (any Error)? {
        defer { latest = nil }
        return latest
    }
}
