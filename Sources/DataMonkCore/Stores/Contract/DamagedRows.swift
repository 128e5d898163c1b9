/// **Value.** The rows of one read that cannot be made into objects, and the consequence for the read.
///
///     fetch of objects or of ids    returns the other rows, and reports the damaged ones at its end, in one error
///     rows by keys                  skips them; reading one of them by its key throws
///     row by key; a to-many         throws, so that no deletion or count of members silently leaves them out
///     keys for a batch request      throws
package struct DamagedRows {
    package enum Handling {
        case thrown, passedOver, reported
    }

    private let handling: Handling
    private var first: StoreError?
    private var count = 0

    package init(_ handling: Handling) { self.handling = handling }

    /// Adds a row.
    ///
    /// - Throws: The error itself, if this kind of read cannot continue without the row.
    @inline(never)
    package mutating func add(_ error: @autoclosure () -> StoreError) throws {
        if case .thrown = handling { throw error() }
        count += 1
        if first == nil { first = error() }
    }

    /// Reports the rows to the error handler: a single error, however many there are.
    package func report(to directory: ObjectDirectory) {
        guard case .reported = handling, var first else { return }
        if count > 1 { first.message += " The fetch left out \(count - 1) more rows that cannot be read." }
        directory.reportIncompleteRead(first)
    }
}
