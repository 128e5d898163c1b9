/// **Value.** A row that a row cache can keep. The cache counts the memory that its rows keep alive, which several rows
/// may share.
///
/// Both functions are called under the lock of the cache's owner.
package protocol CachedRow: Sendable {
    /// Called when the row is added to a cache. Returns the number of bytes that now stay in memory and did not before.
    func enterCache() -> Int
    /// Called when the row is removed from a cache. Returns the number of bytes that no row of the cache keeps any more.
    func leaveCache() -> Int
}
