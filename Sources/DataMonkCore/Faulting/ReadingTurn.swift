/// **Value.** A context's turn: a stretch of reading over one snapshot.
package struct ReadingTurn {
    /// Whether each call is a turn of its own, as it is in a context that nobody runs. Whoever runs one, and ends its turns
    /// before it idles, says no.
    package var endsWithEachCall = true
    private var placesInCache = Self.placesAtFirst

    private static let placesAtFirst = 1_024

    /// Whether a row that is read by itself is for the row cache: somebody who reads thousands of rows one by one would only
    /// push out of it what others read again.
    mutating func takePlaceInCache() -> Bool {
        if placesInCache == 0 { return false }
        placesInCache -= 1
        return true
    }

    /// Begins another turn: the context has moved on, or its owner has ended the one before.
    mutating func begin() { placesInCache = Self.placesAtFirst }
}
