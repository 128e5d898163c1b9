/// **Value.** A SELECT that is ready to run: its text, its constants, and what its columns mean.
///
/// Requests of one shape give one text, so that a prepared statement serves them all: constants are bound, never written
/// into the text, and lists of constants are filled up to a power of two.
package struct SQLQuery: Sendable {
    /// The statement. Its parameters are `?`, in the order of `bindings`.
    package let sql: String
    package let bindings: [SQLBinding]
    package let result: Result

    /// **Value.** What a row of the result is.
    package enum Result: Sendable {
        /// An object with its values.
        case objects(RowPlan)
        /// An object's primary key, and its entity number where the plan has a column for it.
        case keys(KeyPlan)
        /// One integer, in one row.
        case count
        /// A value for each selection.
        case values([ValueColumn])
    }
}
