import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
import DataMonkTesting
import Foundation

/// A SQLite store with the objects of a graph, and queries of it.
final class QueryDatabase {
    let compiler: QueryCompiler
    private let schema: StoreSchema
    let connection: SQLiteConnection
    private let directory: TemporaryDirectory
    private let ids: ObjectDirectory

    init(_ graph: QueryGraph) throws {
        schema = try StoreSchema(model: graph.model)
        compiler = QueryCompiler(schema: schema, storeIndex: 0)
        ids = graph.directory
        directory = try TemporaryDirectory()
        connection = try directory.connection()
        try connection.registerQueryFunctions()
        for statement in schema.createStatements { try connection.execute(statement) }
        try connection.permitIndexingTriggers()
        for statement in schema.textIndexes.flatMap(\.createStatements) { try connection.execute(statement) }
        for object in graph.objects { try insert(object) }
    }

    // MARK: Queries

    func keys(_ fetch: ResolvedFetch) throws -> [Int64] {
        try rows(try compiler.keys(fetch)) { $0.int64(at: 0) }
    }

    func count(_ fetch: ResolvedFetch) throws -> Int64 {
        try rows(try compiler.count(fetch)) { $0.int64(at: 0) }.first ?? -1
    }

    func values(_ fetch: ResolvedFetch) throws -> [[ManagedValue]] {
        let query = try compiler.values(fetch)
        guard case .values(let columns) = query.result else { return [] }
        return try rows(query) { statement in
            columns.map { column in
                let raw = statement.managedValue(at: column.position)
                guard case .object(let entity) = column.kind, case .int(let primaryKey) = raw else {
                    return column.value(raw)
                }
                let number = column.entityColumn.map { Int(statement.int64(at: $0)) }
                let exact = number.flatMap { schema.numbering.entity(numbered: $0) } ?? entity
                return .object(
                    AnyObjectID(key: ObjectKey(store: 0, entity: exact.index, primaryKey: primaryKey), directory: ids))
            }
        }
    }

    func plan(_ query: SQLQuery) throws -> String {
        try rows("EXPLAIN QUERY PLAN \(query.sql)", query.bindings) { $0.text(at: 3) ?? "" }.joined(separator: "; ")
    }

    /// How many steps the database's machine takes for the keys of a fetch.
    func steps(_ fetch: ResolvedFetch) throws -> Int {
        let query = try compiler.keys(fetch)
        return try connection.withStatement(query.sql) { statement in
            try statement.bind(query.bindings)
            let before = statement.machineSteps
            while try statement.step() {}
            return statement.machineSteps - before
        }
    }

    private func rows<Row>(_ query: SQLQuery, _ read: (SQLiteStatement) -> Row) throws -> [Row] {
        try rows(query.sql, query.bindings, read)
    }

    private func rows<Row>(
        _ sql: String, _ bindings: [SQLBinding], _ read: (SQLiteStatement) -> Row
    ) throws -> [Row] {
        try connection.withStatement(sql) { statement in
            try statement.bind(bindings)
            var rows: [Row] = []
            while try statement.step() { rows.append(read(statement)) }
            return rows
        }
    }

    // MARK: Filling

    private func insert(_ object: QueryObject) throws {
        guard let storage = schema.schema(of: object.entity) else { return }
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        var bindings: [SQLBinding] = [
            .integer(object.objectKey.primaryKey), .integer(Int64(storage.number)), .integer(1),
        ]
        for property in object.entity.properties {
            switch storage.storage[property.slot] {
            case .value(let column):
                columns.append(column.identifier)
                bindings.append(SQLBinding(object.values[property.slot]))
            case .toOne(let toOne):
                guard let other = object.links[property.slot].first else { continue }
                columns.append(toOne.column.identifier)
                bindings.append(.integer(other.objectKey.primaryKey))
                if let column = toOne.entityColumn {
                    columns.append(column.identifier)
                    bindings.append(.integer(Int64(schema.numbering.number(of: other.entity))))
                }
                guard let (column, place) = place(of: object, in: other, toOne.relationship.inverse) else { continue }
                columns.append(column)
                bindings.append(.integer(place))
            case .manyToMany(let links) where links.table.relationship == links.relationship:
                for (place, other) in object.links[property.slot].enumerated() {
                    try link(object, other, at: place, links)
                }
            default: break
            }
        }
        let marks = bindings.map { _ in "?" }.joined(separator: ", ")
        try run(
            "INSERT INTO \(storage.table.identifier) (\(columns.joined(separator: ", "))) VALUES (\(marks))", bindings)
    }

    /// The column with an object's place in an ordered to-many, and the place.
    private func place(
        of object: QueryObject, in owner: QueryObject, _ relationship: Entity.Relationship?
    ) -> (String, Int64)? {
        guard let relationship,
            case .toMany(let storage)? = schema.schema(of: owner.entity)?.storage[relationship.slot],
            let column = storage.orderColumn,
            let place = owner.links[relationship.slot].firstIndex(where: { $0 === object })
        else { return nil }
        // Gaps, as a store has them after objects went.
        return (column.identifier, Int64(place * 10))
    }

    private func link(_ object: QueryObject, _ other: QueryObject, at place: Int, _ links: ManyToManyStorage) throws {
        var columns = [links.sourceColumn, links.destinationColumn]
        var bindings: [SQLBinding] = [
            .integer(object.objectKey.primaryKey), .integer(other.objectKey.primaryKey),
        ]
        if let order = links.orderColumn {
            columns.append(order)
            bindings.append(.integer(Int64(place)))
        }
        let marks = bindings.map { _ in "?" }.joined(separator: ", ")
        try run(
            "INSERT INTO \(links.table.name) (\(columns.joined(separator: ", "))) VALUES (\(marks))", bindings)
    }

    private func run(_ sql: String, _ bindings: [SQLBinding]) throws {
        try connection.withStatement(sql) { statement in
            try statement.bind(bindings)
            try statement.run()
        }
    }
}
