package import Foundation

extension StoreError {
    /// The history no longer contains the transaction of a token.
    package static func historyTokenExpired(_ url: URL?) -> StoreError {
        StoreError(
            .historyTokenExpired,
            """
            The history does not go back to this token, because it was purged, or the store was migrated, restored or \
            lost its last commits. Read all data again, and continue from currentHistoryToken().
            """, storeURL: url)
    }

    static var noHistory: StoreError {
        StoreError(
            .unsupportedRequest,
            "No store of the stack tracks its history. Add the store with tracksHistory: true from the start.")
    }
}
