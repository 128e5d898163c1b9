/// **Value.** A SELECT that is ready to run: its text, its constants, and the meaning of its columns.
///
/// Requests of the same shape have the same text, so that one prepared statement serves them all: constants are bound, never
/// written into the text, and lists of constants are padded to a power of two.
package struct SQLQuery: Sendable {
    /// The statement. Its parameters are `?`, in the order of `bindings`.
    package let sql: String
    package let bindings: [SQLBinding]
    package let result: Result

    /// **Value.** The meaning of a result row.
    package enum Result: Sendable {
        /// An object with its values.
        case objects(RowPlan)
        /// An object's primary key, and its entity number if the plan has a column for it.
        case keys(KeyPlan)
        /// A single integer, in a single row.
        case count
        /// A value for each selection.
        case values([ValueColumn])
    }

    /// The columns of a query for values.
    package var columns: [ValueColumn] {
        guard case .values(let columns) = result else {
            preconditionFailure("A fetch of rows was compiled to another kind of query")
        }
        return columns
    }
}
