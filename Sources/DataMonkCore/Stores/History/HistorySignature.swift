/// **Value.** The author and the context name of a transaction, as set on its context.
package struct HistorySignature: Hashable, Sendable {
    package var author: String?
    package var contextName: String?

    package init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }
}
