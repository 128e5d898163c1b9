/// **Value.** The names of a query's columns and their positions in a row.
struct RowColumns: Sendable {
    let names: [String]
    private let places: [String: Int]

    init(_ names: [String]) {
        self.names = names
        places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    func place(of name: String) -> Int? { places[name] }
}
