/// **Value.** A context's turn: a series of reads over one snapshot.
package struct ReadingTurn {
    /// Indicates whether each call is a turn of its own, as in a context without an owner that ends its turns. An owner
    /// that ends the turns before it idles sets it to `false`.
    package var endsWithEachCall = true
    private var placesInCache = Self.placesAtFirst

    private static let placesAtFirst = 1_024

    /// Returns `true` if a row that is read individually should be cached. Code that reads thousands of rows one by one
    /// would only evict rows that others read again.
    mutating func takePlaceInCache() -> Bool {
        if placesInCache == 0 { return false }
        placesInCache -= 1
        return true
    }

    /// Begins a new turn, because the context has advanced or its owner has ended the previous turn.
    mutating func begin() { placesInCache = Self.placesAtFirst }
}
