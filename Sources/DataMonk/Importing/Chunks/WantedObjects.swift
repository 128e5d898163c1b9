import DataMonkCore

/// **Value.** The objects that a chunk's rows are about, by their keys: a query for each entity and kind of key.
struct WantedObjects: Sendable {
    /// **Value.** The keys of one entity's objects.
    struct Query: Sendable {
        /// The entity that declares the keys: an object with such a key may be of any of its sub-entities.
        let entity: Entity
        /// The position of the keys' table in the plan.
        let table: Int
        /// The position of a mapping of the entity with these keys.
        let mapping: Int
        private(set) var keys: Set<ImportKey> = []
        /// The keys in the order of the rows, in which they often ascend: stores make an index of them, which is faster then.
        fileprivate private(set) var keysInOrder: [ImportKey] = []
        /// The to-manys that rows say something of: their members are read with the objects.
        var toManys: Set<String> = []

        init(entity: Entity, table: Int, mapping: Int) {
            self.entity = entity
            self.table = table
            self.mapping = mapping
        }

        mutating func reserveCapacity(_ count: Int) {
            keys.reserveCapacity(count)
            keysInOrder.reserveCapacity(count)
        }

        mutating func add(_ key: ImportKey) {
            if keys.insert(key).inserted { keysInOrder.append(key) }
        }
    }

    private(set) var queries: [Query] = []
    private var positions: [Int?]
    /// The keys that rows give objects which they find by others, by their tables: nobody is to look for these meanwhile.
    private var given: [Int: Set<ImportKey>] = [:]
    private let rowCount: Int

    init(_ rows: [PreparedRow], of plan: ImportPlan) {
        rowCount = rows.count
        positions = Array(repeating: nil, count: plan.mappings.count)
        for row in rows {
            if case .object(let object) = row.content { add(object, of: plan) }
        }
    }

    private mutating func add(_ object: PreparedObject, of plan: ImportPlan) {
        let mapping = plan.mappings[object.mapping]
        if let key = object.key, case .key(_, let table) = mapping.identity {
            let position = positions[object.mapping] ?? add(object.mapping, table, of: plan)
            queries[position].add(key)
            for link in object.links {
                let relationship = mapping.relationships[link.position].relationship
                if relationship.isToMany { queries[position].toManys.insert(relationship.name) }
            }
        }
        // Code of the class may make another value of it.
        for other in plan.otherKeys[object.mapping] where !mapping.isHooked {
            if let key = object.key(other) { given[other.table, default: []].insert(key) }
        }
        for link in object.links {
            for object in link.objects { add(object, of: plan) }
        }
    }

    /// Adds the query of a mapping's objects, unless that of another mapping is for the same table. Returns its position.
    private mutating func add(_ mapping: Int, _ table: Int, of plan: ImportPlan) -> Int {
        let known = queries.firstIndex { $0.table == table }
        positions[mapping] = known ?? queries.count
        if let known { return known }
        queries.append(Query(entity: plan.tables[table].root, table: table, mapping: mapping))
        // The keys of the rows themselves are as many as they; of related objects there may be few.
        if mapping == 0 { queries[queries.count - 1].reserveCapacity(rowCount) }
        return queries.count - 1
    }

    /// Returns the keys, those that are looked for and those that are given, by their tables.
    func keys(of plan: ImportPlan) -> [ImportTable: Set<ImportKey>] {
        var keys: [ImportTable: Set<ImportKey>] = [:]
        // Each table has one query.
        for query in queries { keys[plan.tables[query.table]] = query.keys }
        for (table, others) in given { keys[plan.tables[table], default: []].formUnion(others) }
        return keys
    }
}

extension PreparedObject {
    /// Returns the key that an object's values say, or `nil` if they do not say all of it.
    fileprivate func key(_ other: ImportPlan.OtherKey) -> ImportKey? {
        let keys = other.positions.compactMap { position in
            values.first { $0.position == position }.flatMap { ImportKey($0.value) }
        }
        if keys.count < other.count { return nil }
        return keys.count == 1 ? keys[0] : .several(keys)
    }
}

extension WantedObjects.Query {
    /// The fetches of the objects.
    func requests(of plan: ImportPlan) -> [FetchRequest] {
        guard case .key(let positions, _) = plan.mappings[mapping].identity else { return [] }
        let names = positions.map { plan.mappings[mapping].attributes[$0].attribute.name }
        return FetchRequest.requests(for: keysInOrder, by: names, of: entity).map { request in
            var request = request
            // Those of sub-entities are read later, each for all of its objects.
            request.relationshipKeyPathsForPrefetching = toManys.filter { entity.propertiesByName[$0] != nil }.sorted()
            return request
        }
    }
}
