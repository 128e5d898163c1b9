/// **Value.** A question to W27's texts.
package enum TextSearch: String, CaseIterable, Sendable {
    case contains = "CONTAINS[cd]"
    case likeFolded = "LIKE[cd]"
    case like = "LIKE"
    case matches = "MATCHES"

    /// The text to compare with: a piece of one; a pattern with asterisks, also at both ends; a regular expression for
    /// all of one.
    package var pattern: String {
        switch self {
        case .contains: "cafe river"
        case .likeFolded: "*zurich*lantern*"
        case .like: "*Lantern*Bridge stone*"
        case .matches: ".*(Lantern|Boats) river.*"
        }
    }
}
