/// **Value.** What the ledger said at one moment: a reader takes one before and one after it opens its snapshot.
package struct GenerationStamp: Hashable, Sendable {
    /// The newest generation known to be visible to everybody.
    package let published: Generation
    /// The commit that may become visible at any moment, or is already, if there is one.
    package let inFlight: Generation?

    package init(published: Generation, inFlight: Generation?) {
        self.published = published
        self.inFlight = inFlight
    }
}
