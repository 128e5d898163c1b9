import DataMonkCore

extension FetchRequest {
    /// The largest number of constants of a fetch: stores pass some one by one, and take 32,766 at most.
    private static let maximumConstants = 8_000

    /// Returns the fetches of the objects with some values of attributes: one, unless there are thousands of them. Keys of
    /// several attributes are grouped by the first one.
    static func requests(
        for keys: some Collection<ImportKey>, by names: [String], of entity: Entity
    ) -> [FetchRequest] {
        let limit = max(1, maximumConstants / names.count)
        if keys.count <= limit { return [request(for: keys, by: names, of: entity)] }
        let ordered = names.count == 1 ? Array(keys) : Dictionary(grouping: keys) { $0.parts[0] }.values.flatMap(\.self)
        return stride(from: 0, to: ordered.count, by: limit).map { start in
            request(for: ordered[start..<min(start + limit, ordered.count)], by: names, of: entity)
        }
    }

    private static func request(
        for keys: some Collection<ImportKey>, by names: [String], of entity: Entity
    ) -> FetchRequest {
        var request = FetchRequest(entityName: entity.name)
        request.condition =
            names.count == 1
            ? condition(keys, on: names[0])
            : .or(
                Dictionary(grouping: keys) { $0.parts[0] }.map { first, keys in
                    // Keys as a set, since texts that are equal may be of other bytes.
                    .and(
                        [.compare(names[0], .equal, first.firstValue)]
                            + names.indices.dropFirst().map { place in
                                condition(Set(keys.map { $0.parts[place] }), on: names[place])
                            })
                })
        return request
    }

    private static func condition(_ keys: some Collection<ImportKey>, on name: String) -> Condition {
        .compare(name, .isIn, .list(keys.map(\.firstValue)))
    }
}
