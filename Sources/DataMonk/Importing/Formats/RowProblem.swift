/// **Value.** The reason why bytes are not a row, and the byte that shows it.
struct RowProblem: Error, Hashable {
    var code = FormatError.Code.malformed
    /// The problem and its remedy.
    let message: String
    /// The number of bytes before the one that shows it, from the first that was looked at on.
    let offset: Int
    /// The member or column concerned.
    var key: String?
}
