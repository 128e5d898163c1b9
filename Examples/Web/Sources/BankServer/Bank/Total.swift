/// **Value.** All accounts together, as of one moment.
struct Total: Sendable, Codable, Equatable {
    let accounts: Int
    let balance: Int
}
