/// **Value.** The names of a query's columns and their positions in a row.
@usableFromInline
struct RowColumns: Sendable {
    let names: [String]
    /// A Boolean value indicating whether the values are as the file holds them: a date is a number, a UUID is data.
    let areStored: Bool
    private let places: [String: Int]

    init(_ names: [String], areStored: Bool = false) {
        self.names = names
        self.areStored = areStored
        places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    func place(of name: String) -> Int? { places[name] }
}
