/// **Value.** SQLite's `synchronous`, by its name there.
package enum Durability: String, Sendable {
    case normal = "NORMAL"
    case full = "FULL"
}
