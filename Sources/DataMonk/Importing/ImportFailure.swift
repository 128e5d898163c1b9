import DataMonkCore

/// **Value.** A row that could not be imported, and the reason.
public struct ImportFailure: Sendable, CustomStringConvertible {
    /// The place of the row in the input.
    public let place: ImportPlace
    /// The name of the property, or the key path in the row, that the failure is about; `nil` for the row as a whole.
    public let key: String?
    /// The reason: an ``ImportError``, a ``/DataMonkCore/SaveError`` of the object's validation, or an error of a hook.
    public let error: any Error

    package init(at place: ImportPlace, key: String?, error: any Error) {
        self.place = place
        self.key = key
        self.error = error
    }

    /// The problem and its remedy, in words.
    public var message: String { (error as? any DataMonkError)?.message ?? String(describing: error) }

    /// The place and the message.
    public var description: String { "\(place): \(message)" }
}
