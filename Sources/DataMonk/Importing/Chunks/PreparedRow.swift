import DataMonkCore

/// **Value.** A row whose values are converted, to be matched with objects.
struct PreparedRow: Sendable {
    /// **Value.** The values of a row, or the reason why it has none. A `Result` of them is copied by way of its generic type,
    /// which takes several times as long.
    enum Content: Sendable {
        case object(PreparedObject)
        case failure(any Error)
    }

    let place: ImportPlace
    let content: Content

    /// The values.
    ///
    /// - Throws: The reason why the row has none.
    var object: PreparedObject {
        get throws {
            switch content {
            case .object(let object): return object
            case .failure(let error): throw error
            }
        }
    }
}
