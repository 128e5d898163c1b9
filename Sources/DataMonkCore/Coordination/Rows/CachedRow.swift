/// **Value.** What a row cache keeps. The cache counts the memory that its rows keep, of which several may keep the same.
///
/// Both functions are called under the lock of whoever owns the cache.
package protocol CachedRow: Sendable {
    /// A cache has taken the row in once more. Returns the bytes that stay in memory for it and did not before.
    func enterCache() -> Int
    /// A cache has let go of the row once. Returns the bytes that no row of the cache keeps any more.
    func leaveCache() -> Int
}
