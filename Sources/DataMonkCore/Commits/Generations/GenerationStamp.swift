/// **Value.** The state of the ledger at one moment. A reader takes a stamp before and after it opens its snapshot.
package struct GenerationStamp: Hashable, Sendable {
    /// The newest generation known to be visible to all readers.
    package let published: Generation
    /// The commit that may become visible at any moment, or already is; `nil` if there is none.
    package let inFlight: Generation?
    /// The number of commits that were abandoned.
    package let abandonCount: Int

    package init(published: Generation, inFlight: Generation?, abandonCount: Int) {
        self.published = published
        self.inFlight = inFlight
        self.abandonCount = abandonCount
    }
}
