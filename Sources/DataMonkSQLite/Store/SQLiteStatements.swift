import DataMonkCore
import DataMonkSQL

/// **Shared.** The statements of a model, each with its slot in every connection. They are created at first use and kept for
/// the life of the store.
final class SQLiteStatements: Sendable {
    /// **Value.** A SELECT of rows and the meaning of its columns.
    struct RowSelect: Sendable {
        let sql: PreparedSQL
        let plan: LoadPlan
    }

    /// **Value.** The two SELECTs for the rows of several keys, or for those that refer to them.
    struct KeysSelect: Sendable {
        /// `… BETWEEN ? AND ?`: objects created together mostly have consecutive keys.
        let range: PreparedSQL
        /// `… IN (SELECT value FROM json_each(?))`
        let list: PreparedSQL
        let plan: LoadPlan
    }

    /// **Value.** A statement that writes a row, and the plan for binding the row.
    struct RowChange: Sendable {
        let sql: PreparedSQL
        let plan: WritePlan
    }

    /// **Value.** The statements that write the links of a to-many; see `LinkWriting`.
    struct LinkChange: Sendable {
        let insert: PreparedSQL?
        let delete: PreparedSQL?
        let setOrder: PreparedSQL?
        let lastOrder: PreparedSQL?
    }

    /// **Shared.** The statements for one entity's rows.
    final class EntityStatements: Sendable {
        let writing: RowWriting
        let insert: RowChange
        let delete: PreparedSQL
        let deleteAnyVersion: PreparedSQL
        /// Calls the function of `DueDeletions`.
        let deleteRange: PreparedSQL
        let selectVersion: PreparedSQL
        /// The entity number of a row; `nil` if all rows of the table are of one entity, and there is nothing to check.
        let selectEntityNumber: PreparedSQL?
        let selectByKey: RowSelect
        let selectByKeys: KeysSelect
        /// Includes rows of sub-entities.
        let selectFamilyByKeys: KeysSelect
        /// Removes the links of a deleted object, one statement for each relationship.
        let deleteLinks: [PreparedSQL]

        init(_ entity: EntitySchema, in statements: SQLiteStatements) {
            let writing = RowWriting(entity)
            let select = statements.compiler.rowSelect(of: entity.entity, withSubentities: false)
            let plan = LoadPlan(select.plan, directory: statements.directory)
            let from = "SELECT \(select.list) FROM \(writing.tableName) t0 WHERE t0.Z_PK"
            let ownEntity = entity.sharesTable ? " AND t0.Z_ENT = \(entity.number)" : ""
            self.writing = writing
            insert = RowChange(sql: statements.prepared(writing.insert), plan: WritePlan(writing.columns))
            delete = statements.prepared(writing.delete)
            deleteAnyVersion = statements.prepared(writing.deleteAnyVersion)
            deleteRange = statements.prepared(writing.deleteRange)
            selectVersion = statements.prepared("SELECT Z_OPT FROM \(writing.tableName) WHERE Z_PK = ?")
            selectEntityNumber =
                entity.sharesTable
                ? statements.prepared("SELECT Z_ENT FROM \(writing.tableName) WHERE Z_PK = ?") : nil
            selectByKey = RowSelect(sql: statements.prepared("\(from) = ?\(ownEntity)"), plan: plan)
            selectByKeys = KeysSelect(from: from, condition: ownEntity, plan: plan, statements: statements)
            let family = statements.compiler.rowSelect(of: entity.entity, withSubentities: true)
            selectFamilyByKeys = KeysSelect(
                from: "SELECT \(family.list) FROM \(writing.tableName) t0 WHERE t0.Z_PK", condition: "",
                plan: LoadPlan(family.plan, directory: statements.directory), statements: statements)
            deleteLinks = entity.storage.compactMap { LinkWriting($0)?.deleteAll }.map(statements.prepared)
        }
    }

    let schema: StoreSchema
    let compiler: QueryCompiler
    /// Z_ENT by `Entity.index`; 0 for an entity that the store does not contain.
    let entityNumbers: [Int]
    let entityIndicesByNumber: [Int: Int]
    /// Flags by `Entity.index`: `true` if triggers maintain some of the entity's attributes.
    let derives: [Bool]
    /// The slots of data that may be stored in separate files, by `Entity.index`.
    let externalDataSlots: [[Int]]
    private let table: PreparedSQLTable
    /// Writes the highest primary key, for each commit of new objects.
    let setLastPrimaryKey: PreparedSQL
    let directory: ObjectDirectory
    private let entities: Locked<[EntityStatements?]>
    private let loadPlans = Memo<RowShape, LoadPlan>()
    private let destinations = Memo<Entity.Relationship, RowSelect>()
    private let cohortDestinations = Memo<Entity.Relationship, KeysSelect>()
    private let updates = Memo<UpdateKey, RowChange>()
    private let linkChanges = Memo<Entity.Relationship, LinkChange>()

    private struct UpdateKey: Hashable, Sendable {
        let entity: Int
        let changed: SlotSet
    }

    init(schema: StoreSchema, storeIndex: Int, directory: ObjectDirectory) {
        self.schema = schema
        self.directory = directory
        table = PreparedSQLTable()
        setLastPrimaryKey = table.entry(for: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
        entities = Locked(Array(repeating: nil, count: schema.model.entities.count))
        compiler = QueryCompiler(schema: schema, storeIndex: storeIndex)
        entityNumbers = schema.model.entities.map { schema.numbering.number(of: $0) }
        derives = schema.model.entities.map { $0.attributes.contains(where: \.isDerivedFromOthers) }
        externalDataSlots = schema.model.entities.map { entity in
            entity.attributes.filter { StoredColumn.Form($0) == .externalData && !$0.isTransient }.map(\.slot)
        }
        entityIndicesByNumber = Dictionary(
            uniqueKeysWithValues: schema.numbering.entities.map { (schema.numbering.number(of: $0), $0.index) })
    }

    func prepared(_ sql: String) -> PreparedSQL { table.entry(for: sql) }

    /// Returns the SELECT of `Z_MAX` and of the highest key in the table, for the number of a root entity or of a history
    /// table.
    func lastPrimaryKey(ofEntityNumber number: Int) -> PreparedSQL {
        let table =
            entityIndicesByNumber[number].flatMap { schema.schema(ofEntityAt: $0)?.table.identifier }
            ?? HistorySchema.Table(rawValue: number)?.name
        let highest = table.map { "(SELECT max(Z_PK) FROM \($0))" } ?? "0"
        return prepared("SELECT Z_MAX, \(highest) FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
    }

    /// Returns the statements of an entity, or `nil` if the store does not contain it.
    func statements(ofEntityAt index: Int) -> EntityStatements? {
        if let known = entities.withLock({ $0[index] }) { return known }
        guard let schema = schema.schema(ofEntityAt: index) else { return nil }
        let made = EntityStatements(schema, in: self)
        entities.withLock { $0[index] = made }
        return made
    }

    /// Returns the plan for packing the rows of a fetch.
    func loadPlan(of fetch: ResolvedFetch, _ plan: RowPlan) -> LoadPlan {
        loadPlans.value(for: RowShape(fetch)) { LoadPlan(plan, directory: directory) }
    }

    /// Returns the statement that writes some slots of an entity's row.
    func update(ofEntityAt index: Int, _ changed: SlotSet) -> RowChange? {
        updates.value(for: UpdateKey(entity: index, changed: changed)) {
            guard let writing = statements(ofEntityAt: index)?.writing else { return nil }
            let columns = writing.columns.filter { changed.contains($0.slot) }
            return RowChange(sql: prepared(writing.update(columns)), plan: WritePlan(columns))
        }
    }

    /// Returns the statements that write the links of a to-many; `nil` if the relationship is not stored.
    func linkChange(of relationship: Entity.Relationship) -> LinkChange? {
        linkChanges.value(for: relationship) {
            guard let storage = schema.schema(of: relationship.entity)?.storage[relationship.slot],
                let writing = LinkWriting(storage)
            else { return nil }
            return LinkChange(
                insert: writing.insert.map(prepared), delete: writing.delete.map(prepared),
                setOrder: writing.setOrder.map(prepared), lastOrder: writing.lastOrder.map(prepared))
        }
    }

    /// Returns the SELECT of a to-many relationship's destinations, in order; `nil` if the relationship is not stored.
    func destinations(of relationship: Entity.Relationship) -> RowSelect? {
        destinations.value(for: relationship) {
            guard let (list, plan, ends) = parts(of: relationship) else { return nil }
            let order = ends.order.map { "\($0), " } ?? ""
            let sql = "SELECT \(list) FROM \(ends.tables) WHERE \(ends.owner) = ? ORDER BY \(order)t0.Z_PK"
            return RowSelect(sql: prepared(sql), plan: plan)
        }
    }

    /// Returns the SELECT of a to-many relationship's destinations for several source objects. The rows are ordered by the
    /// source object's key, in an additional column. `nil` if the relationship is not stored.
    func cohortDestinations(of relationship: Entity.Relationship) -> KeysSelect? {
        cohortDestinations.value(for: relationship) {
            guard let (list, plan, ends) = parts(of: relationship) else { return nil }
            let order = ends.order.map { ", \($0), t0.Z_PK" } ?? ""
            // The index on the owner's column yields the owners one after the other: rows arrive before all of them have been
            // found, and a caller that has enough can stop.
            return KeysSelect(
                from: "SELECT \(list), \(ends.owner) FROM \(ends.tables) WHERE \(ends.owner)",
                condition: " ORDER BY \(ends.owner)\(order)", plan: plan, statements: self)
        }
    }

    /// Returns what the SELECTs of a to-many relationship's destinations have in common.
    private func parts(of relationship: Entity.Relationship) -> (list: String, plan: LoadPlan, ends: ToManyEnds)? {
        guard let ends = ToManyEnds(of: relationship, in: schema) else { return nil }
        let select = compiler.rowSelect(of: relationship.destination, withSubentities: true)
        return (select.list, LoadPlan(select.plan, directory: directory), ends)
    }
}

extension SQLiteStatements.KeysSelect {
    fileprivate init(from: String, condition: String, plan: LoadPlan, statements: SQLiteStatements) {
        range = statements.prepared("\(from) BETWEEN ? AND ?\(condition)")
        list = statements.prepared("\(from) IN (SELECT value FROM json_each(?))\(condition)")
        self.plan = plan
    }
}
