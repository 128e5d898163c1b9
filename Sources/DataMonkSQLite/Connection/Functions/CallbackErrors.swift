/// **Confined.** Passes an error thrown by a custom function around SQLite, which keeps only a code and a message.
///
/// Shared by a connection, its statements and its functions, which all have the same owner.
@usableFromInline
final class CallbackErrors {
    private var latest: (any Error)?

    func keep(_ error: any Error) { latest = error }

    /// Returns the error and clears it.
    func take() -> (any Error)? {
        defer { latest = nil }
        return latest
    }
}
