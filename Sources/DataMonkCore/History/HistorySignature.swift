/// **Value.** Who writes a transaction, as its context was told.
package struct HistorySignature: Hashable, Sendable {
    package var author: String?
    package var contextName: String?

    package init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }
}
