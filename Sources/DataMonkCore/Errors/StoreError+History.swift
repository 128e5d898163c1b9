package import Foundation

extension StoreError {
    /// The history no longer contains the transaction of a token.
    package static func historyTokenExpired(_ url: URL?) -> StoreError {
        StoreError(
            .historyTokenExpired,
            """
            The history does not reach back to the token: it was purged since, or the store was migrated. Take in everything \
            anew, and go on from currentHistoryToken().
            """, storeURL: url)
    }

    static var noHistory: StoreError {
        StoreError(
            .unsupportedRequest,
            "No store of the stack keeps a history. Add it with tracksHistory: true, from the start.")
    }
}
