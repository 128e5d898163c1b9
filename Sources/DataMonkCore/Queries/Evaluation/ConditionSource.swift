/// **Confined.** The values for which a resolved condition is evaluated: those of an object and of the objects of the enclosing
/// subqueries (`EvaluationScope`), or those of a row of a group (`ComposedRow`).
protocol ConditionSource {
    /// Returns the value at a path to a single value.
    func value(at path: ResolvedPath) -> ManagedValue
    /// Calls `body` with every value of a path to a collection, until it returns `false`.
    func forEachValue(
        at path: ResolvedPath, _ body: (ManagedValue) throws(FetchError) -> Bool
    ) throws(FetchError)
    /// Returns the key of the object at the end of a path to a single object.
    func key(at path: ResolvedPath) -> ObjectKey?
    /// Returns the keys of the objects at the end of a path to a collection, with `nil` for each branch on which a to-one
    /// is `nil`.
    func keys(at path: ResolvedPath) -> [ObjectKey?]
    /// Returns the value of a column of the result.
    func column(at position: Int) -> ManagedValue
    func value(of subquery: ResolvedSubquery) throws(FetchError) -> ManagedValue
}
