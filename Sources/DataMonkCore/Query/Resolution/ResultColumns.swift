/// **Value.** The names by which conditions on groups, and the order of rows, know what a row holds.
struct ResultColumns {
    let entity: Entity
    let selections: [ResolvedSelection]
    let groups: [ResolvedPath]
    /// Whether any other property may be used too: in rows that stand for one object each, and are not made distinct.
    let allowsProperties: Bool

    /// A column by its name, else a path that the rows are grouped by, else any property where that means something.
    func resolve(_ keyPath: String) throws(FetchError) -> ResolvedExpression {
        if let position = selections.firstIndex(where: { $0.alias == keyPath }) {
            return .selection(position, selections[position].kind)
        }
        let path = try PathResolver(entity: entity).resolve(keyPath)
        if let position = selections.firstIndex(where: { $0.function == nil && $0.path == path }) {
            return .selection(position, selections[position].kind)
        }
        if allowsProperties || groups.contains(path) { return .path(path) }
        throw FetchError(
            .invalidRequest,
            "\"\(keyPath)\" is neither a column of the result nor what it is grouped by, so a row has no one value of it.",
            entityName: entity.name, keyPath: keyPath)
    }
}
