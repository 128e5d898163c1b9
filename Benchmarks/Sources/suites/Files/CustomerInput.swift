/// **Value.** The values of a row by its number, from 0. They are those of the original, so that the files can be compared.
struct CustomerInput: Sendable {
    let id: Int
    let name: String
    let details: String

    init(_ number: Int) {
        id = number + 1
        name = "customer name \(number)"
        details = "customer description \(number)"
    }
}

/// **Value.** The values of a row of `short_selects`, by its id.
struct ProfileInput: Sendable {
    /// The number of rows, whatever the number of repetitions.
    static let ids = 1..<11_000

    let id: Int
    let text: String

    init(id: Int) {
        self.id = id
        text = "c\(id)"
    }
}
