import DataMonkCore
import DataMonkSQL

/// Batch requests, with one statement for many rows. Keys are passed as one parameter, ten thousand at a time.
extension SQLiteTransaction {
    private static let chunkSize = 10_000

    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] {
        try translating { try store.keys(store.plans.compiler.keys(fetch), on: connection, damaged: .thrown) }
    }

    func present(_ keys: [ObjectKey]) throws -> [ObjectKey] {
        try translating {
            var found: [ObjectKey] = []
            for (entity, keys) in Dictionary(grouping: keys, by: \.entityIndex).sorted(by: { $0.key < $1.key }) {
                let rows = try select(writing(entity).present, over: keys) { try key($0) }
                found += rows.filter { $0.entityIndex == entity }
            }
            return found
        }
    }

    func destinationKeys(of relationship: Entity.Relationship, from keys: [ObjectKey]) throws -> [ObjectKey] {
        guard let entity = keys.first?.entityIndex else { return [] }
        return try translating {
            if let ends = ToManyEnds(of: relationship, in: store.plans.schema) {
                let sql = """
                    SELECT t0.Z_PK, t0.Z_ENT FROM \(ends.tables) \
                    WHERE \(ends.owner) IN (SELECT value FROM json_each(?))
                    """
                return try select(sql, over: keys) { try key($0) }
            }
            guard case .toOne(let storage)? = store.plans.schema.schema(ofEntityAt: entity)?.storage[relationship.slot]
            else { return [] }
            let sql = try writing(entity).toOneKeys(storage)
            if storage.entityColumn != nil { return try select(sql, over: keys) { try key($0) } }
            return try select(sql, over: keys) { statement in
                ObjectKey(
                    store: store.index, entity: relationship.destination.index,
                    primaryKey: try store.usable(statement.int64(at: 0)))
            }
        }
    }

    func links(of relationship: Entity.Relationship, from owners: [ObjectKey]) throws -> [StoredLink] {
        guard let (tables, owner) = referrers(of: relationship) else { return [] }
        let known = Dictionary(owners.map { ($0.primaryKey, $0) }, uniquingKeysWith: { first, _ in first })
        return try translating {
            let sql = """
                SELECT t0.Z_PK, t0.Z_ENT, \(owner) FROM \(tables) WHERE \(owner) IN (SELECT value FROM json_each(?))
                """
            return try select(sql, over: owners) { statement in
                let destination = try key(statement)
                return known[statement.int64(at: 2)].map { StoredLink(owner: $0, destination: destination) }
            }.compactMap(\.self)
        }
    }

    /// Returns the tables that contain references to objects of a relationship, and the referring column.
    private func referrers(of relationship: Entity.Relationship) -> (tables: String, owner: String)? {
        let schema = store.plans.schema
        if let ends = ToManyEnds(of: relationship, in: schema) { return (ends.tables, ends.owner) }
        guard let inverse = relationship.inverse, !inverse.isToMany,
            let entity = schema.schema(of: inverse.entity), case .toOne(let storage) = entity.storage[inverse.slot]
        else { return nil }
        return ("\(entity.table.identifier) t0", "t0.\(storage.column.identifier)")
    }

    func update(
        _ update: ResolvedBatchUpdate, check: (ManagedValue, Entity.Attribute) throws -> Void
    ) throws -> [BatchChanges.Written] {
        let compiled = try store.plans.compiler.update(update)
        noteOrphans(of: update)
        return try translating {
            let written = try refusingDuplicates(of: update.fetch.entity) {
                try connection.withStatement(compiled.sql) { statement in
                    try bind(compiled.parameters, constants: update.constants, to: statement)
                    var written: [BatchChanges.Written] = []
                    while try statement.step() {
                        for (attribute, column) in compiled.computed {
                            try check(column.value(statement.managedValue(at: column.position)), attribute)
                        }
                        written.append(try row(statement))
                    }
                    return written
                }
            }
            try noteUpdates(written, slots: SlotSet(update.assignments.map(\.property.slot)))
            return written
        }
    }

    func clear(_ relationship: Entity.Relationship, of keys: [ObjectKey]) throws -> [BatchChanges.Written] {
        let order = try store.plans.compiler.orderColumn(of: .relationship(relationship))
        return try translating {
            var written: [BatchChanges.Written] = []
            for (entity, keys) in Dictionary(grouping: keys, by: \.entityIndex).sorted(by: { $0.key < $1.key }) {
                guard let sql = try writing(entity).clear(relationship, orderColumn: order) else { continue }
                written += try select(sql, over: keys, take: row)
            }
            try noteUpdates(written, slots: SlotSet([relationship.slot]))
            return written
        }
    }

    func delete(_ keys: [ObjectKey]) throws {
        try translating {
            let tombstones = try history?.tombstones(of: keys) ?? [:]
            try history?.note(keys.map { HistoryEntry(.delete, of: $0) }, tombstones: tombstones)
            for (entity, keys) in Dictionary(grouping: keys, by: \.entityIndex).sorted(by: { $0.key < $1.key }) {
                let writing = try writing(entity)
                if !store.plans.externalDataSlots[entity].isEmpty { store.externalData?.noteOrphans() }
                for sql in writing.deleteLinks + [writing.deleteRows] { _ = try select(sql, over: keys) { _ in () } }
            }
        }
    }

    // MARK: Rows

    private func noteUpdates(_ written: [BatchChanges.Written], slots: SlotSet) throws {
        guard let history else { return }
        try history.note(written.map { HistoryEntry(.update, of: $0.key, slots: slots) })
    }

    private func writing(_ entity: Int) throws -> BatchWriting {
        guard let schema = store.plans.schema.schema(ofEntityAt: entity) else {
            throw StoreError.entityNotInStore(store.directory.layouts[entity].entity, at: store.fileURL)
        }
        return BatchWriting(schema)
    }

    /// Runs a statement over keys and collects its results.
    private func select<Result>(
        _ sql: String, over keys: [ObjectKey], take: (SQLiteStatement) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        var rest = keys[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Self.chunkSize)
            rest = rest.dropFirst(Self.chunkSize)
            try connection.withStatement(store.plans.prepared(sql)) { statement in
                try statement.bind(chunk.primaryKeyList, at: 1)
                while try statement.step() { results.append(try take(statement)) }
            }
        }
        return results
    }

    private func row(_ statement: SQLiteStatement) throws -> BatchChanges.Written {
        BatchChanges.Written(key: try key(statement), version: statement.int64(at: 2))
    }

    private func key(_ statement: SQLiteStatement) throws -> ObjectKey {
        try store.key(
            ofEntityNumber: Int(truncatingIfNeeded: statement.int64(at: 1)), statement.int64(at: 0))
    }

    private func bind(_ parameters: [SQLUpdate.Parameter], constants: Row, to statement: SQLiteStatement) throws {
        var position = 1
        for parameter in parameters {
            switch parameter {
            case .slot(let column):
                let plan = WritePlan([column])
                try statement.bind(
                    plan, of: constants.pointer, from: position, entityNumbers: store.plans.entityNumbers,
                    externalData: nil)
                position += plan.width
            case .constant(let binding):
                try statement.bind(binding, at: position)
                position += 1
            }
        }
    }

    private func refusingDuplicates<Result>(of entity: Entity, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as SQLiteFailure where failure.constraintViolation?.kind == .unique {
            throw SaveError.duplicate([], of: entity)
        }
    }

    private func noteOrphans(of update: ResolvedBatchUpdate) {
        let slots = store.plans.externalDataSlots[update.fetch.entity.index]
        if update.assignments.contains(where: { slots.contains($0.property.slot) }) {
            store.externalData?.noteOrphans()
        }
    }
}
