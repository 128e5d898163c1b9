/// **Value.** A request, as a route of a web framework would hand it over.
enum Request: Sendable {
    case open(String)
    case deposit(Int, to: String)
    case transfer(Int, from: String, to: String)
    case richest(Int)
}

/// **Value.** An answer: a status of HTTP, and the accounts or the reason.
struct Response: Sendable {
    let status: Int
    var accounts: [AccountInfo] = []
    var reason = ""
}
