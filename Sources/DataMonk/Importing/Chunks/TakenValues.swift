/// **Value.** A row's values that must be unique, and that another object has.
struct TakenValues: Hashable {
    /// The position of the row in its chunk.
    let row: Int
    /// The attributes that are unique together.
    let names: [String]
}
