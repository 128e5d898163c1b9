import DataMonkCore

/// **Value.** Writes the triggers of one derived attribute: Core Data's, where the stores at hand show them.
///
///     count over a to-many    goes up and down: filling a folder with a thousand photos does not count a thousand times
///     the others              computed anew for each object concerned: no store of Core Data's at hand shows what it writes
///
/// A trigger is named after the table that it fires on:
///
///     Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT    AFTER INSERT ON ZPAGE
///     Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT       AFTER INSERT ON ZBOOK
struct DerivationBuilder {
    /// **Value.** An event and the objects whose value it changes.
    struct Event {
        let name: String
        /// The table that the trigger fires on.
        let table: String
        /// `INSERT`, `UPDATE OF ZBOOK`
        let place: String
        var condition: String?
        /// The new value; nil to compute it.
        var value: String?
        /// The condition for the rows of the attribute's table.
        let rows: String
    }

    /// **Value.** The storage of the relationship that the value comes through.
    enum Link {
        /// A column of the attribute's own table.
        case toOne(key: String)
        /// A column of the table of the objects.
        case toMany(table: String, key: String)
        /// The columns of a join table.
        case manyToMany(table: String, owner: String, element: String)
    }

    let derivation: Derivation
    let entity: EntitySchema
    let column: ColumnSchema
    /// The table of the objects that the value comes from.
    let destination: TableSchema
    /// The column of those objects that it comes from; nil for a plain count.
    let source: String?
    /// The columns of the objects that decide whether they count.
    let filterColumns: [String]
    let link: Link
    /// The value for a row of the attribute's table.
    let value: String
    /// The same as Core Data, and earlier versions of this library, compute it: not in the attribute's type.
    let plainValue: String
    /// The conditions that the filter makes of a row that a trigger sees; nil if there is no filter.
    let filters: (new: String?, old: String?)

    /// Nil for an attribute that the store does not keep, or that depends on its own object alone.
    ///
    /// - Throws: ``ModelError`` if the value that it is derived from has no column.
    init?(_ derivation: Derivation, schemas: [EntitySchema?]) throws(ModelError) {
        guard case .related(let path) = derivation.source, let relationship = path.steps.first,
            let entity = schemas[derivation.attribute.entity.index],
            case .value(let column) = entity.storage[derivation.attribute.slot],
            let destination = schemas[relationship.destination.index]
        else { return nil }
        self.derivation = derivation
        self.entity = entity
        self.column = column
        self.destination = destination.table
        let table = entity.table.identifier
        let source = try Self.column(of: path, in: destination, for: derivation)
        self.source = source
        filters = (
            try Self.filter(of: derivation, row: "NEW", in: destination),
            try Self.filter(of: derivation, row: "OLD", in: destination)
        )
        filterColumns = try Self.filterColumns(of: derivation, in: destination)
        let filter = try Self.filter(of: derivation, row: "d", in: destination).map { " AND \($0)" } ?? ""
        let clauses: String
        switch entity.storage[relationship.slot] {
        case .toOne(let storage):
            link = .toOne(key: storage.column.identifier)
            clauses = "\(destination.table.identifier) d WHERE d.Z_PK = \(table).\(storage.column.identifier)"
        case .toMany(let storage):
            link = .toMany(table: storage.tableName, key: storage.column.identifier)
            let objects = SQLIdentifier.quotedIfNeeded(storage.tableName)
            clauses = "\(objects) d WHERE d.\(storage.column.identifier) = \(table).Z_PK\(filter)"
        case .manyToMany(let storage):
            let owner = SQLIdentifier.quotedIfNeeded(storage.sourceColumn)
            let element = SQLIdentifier.quotedIfNeeded(storage.destinationColumn)
            link = .manyToMany(table: storage.table.name, owner: owner, element: element)
            let objects =
                source == nil && filter.isEmpty
                ? "" : " JOIN \(destination.table.identifier) d ON d.Z_PK = j.\(element)"
            let links = SQLIdentifier.quotedIfNeeded(storage.table.name)
            clauses = "\(links) j\(objects) WHERE j.\(owner) = \(table).Z_PK\(filter)"
        case .none, .value, .composite:
            return nil
        }
        value = Self.value(of: path, column: source, as: derivation.attribute.type, from: " FROM \(clauses)")
        plainValue = "(SELECT \(Self.plainValue(of: path, column: source)) FROM \(clauses))"
    }

    /// The column behind the relationship; nil for a plain count.
    private static func column(
        of path: ResolvedPath, in destination: EntitySchema, for derivation: Derivation
    ) throws(ModelError) -> String? {
        let attribute: Entity.Attribute?
        switch path.terminal {
        case .attribute(let own): attribute = own
        case .aggregate(_, let inner): attribute = inner.attribute
        case .count, .object, .entityName, .member: return nil
        }
        guard let attribute, let column = plainColumn(of: attribute, in: destination) else {
            throw derivation.refusal(
                """
                It is derived from an attribute that is transient, composite or stored in external files. \
                Derive it from a plain stored attribute.
                """)
        }
        return column
    }

    private static func plainColumn(of attribute: Entity.Attribute, in destination: EntitySchema) -> String? {
        guard case .value(let column) = destination.storage[attribute.slot],
            StoredColumn.Form(attribute) != .externalData
        else { return nil }
        return column.identifier
    }

    /// Returns the columns that the filter compares.
    private static func filterColumns(
        of derivation: Derivation, in destination: EntitySchema
    ) throws(ModelError) -> [String] {
        guard let filter = derivation.filter else { return [] }
        let columns = filter.attributes.map { plainColumn(of: $0, in: destination) }
        guard !columns.contains(nil) else { throw derivation.filterRefusal }
        return Set(columns.compactMap(\.self)).sorted(by: String.precedesInBytes)
    }

    /// Returns the filter as a condition on a row, or `nil` if there is none.
    private static func filter(
        of derivation: Derivation, row: String, in destination: EntitySchema
    ) throws(ModelError) -> String? {
        guard let filter = derivation.filter else { return nil }
        let condition = SchemaCondition(entity: destination.entity) { name in
            let attribute = destination.entity.attribute(named: name)
            return attribute.flatMap { plainColumn(of: $0, in: destination) }.map { "\(row).\($0)" }
        }
        guard let sql = condition.sql(filter.condition) else { throw derivation.filterRefusal }
        return sql
    }
}

/// The SQL of the values that come from other objects, in the type of the attribute. `Derivation.fitting` has the same rule
/// in memory:
///
///     a fraction in an integer            without its fraction
///     a value beyond the attribute's      NULL
///     a count                             as it is, since triggers of Core Data's form add one and subtract one
///
/// A value that always fits is written as it is.
extension DerivationBuilder {
    /// Returns the value at the end of a path.
    ///
    /// - Parameters:
    ///   - column: The column of the objects that the value comes from; `nil` for a count.
    ///   - clauses: FROM and WHERE, in which the objects have the alias `d`.
    static func value(
        of path: ResolvedPath, column: String?, as type: AttributeType, from clauses: String
    ) -> String {
        guard let column else { return "(SELECT count(*)\(clauses))" }
        guard case .aggregate(let function, let inner) = path.terminal else {
            return fitted("d.\(column)", of: path.attribute?.type, as: type, from: clauses)
        }
        let source = inner.attribute?.type
        switch function {
        case .sum where source == .integer64: return wholeSum(column, as: type, from: clauses)
        case .sum:
            let isWhole = source?.isWhole ?? false
            return fitted("COALESCE(sum(d.\(column)), 0)", of: isWhole ? .integer64 : source, as: type, from: clauses)
        case .average: return fitted("avg(d.\(column))", of: .double, as: type, from: clauses)
        case .minimum: return fitted("min(d.\(column))", of: source, as: type, from: clauses)
        default: return fitted("max(d.\(column))", of: source, as: type, from: clauses)
        }
    }

    private static func plainValue(of path: ResolvedPath, column: String?) -> String {
        guard let column else { return "count(*)" }
        guard case .aggregate(let function, _) = path.terminal else { return "d.\(column)" }
        return switch function {
        case .sum: "COALESCE(sum(d.\(column)), 0)"
        case .average: "avg(d.\(column))"
        case .minimum: "min(d.\(column))"
        default: "max(d.\(column))"
        }
    }

    /// Returns the sum of 64-bit integers, added up in two halves: `sum()` fails as soon as 64 bits overflow, and the save
    /// with it.
    private static func wholeSum(_ column: String, as type: AttributeType, from clauses: String) -> String {
        let high = "COALESCE(sum(d.\(column) >> 32), 0)"
        let low = "COALESCE(sum(d.\(column) & 4294967295), 0)"
        let overflow = type.isWhole ? "" : " ELSE h * 4294967296.0 + l"
        let sum = """
            CASE WHEN h + (l >> 32) BETWEEN -2147483648 AND 2147483647 \
            THEN ((h + (l >> 32)) << 32) | (l & 4294967295)\(overflow) END
            """
        return fitted(
            sum, of: .integer64, as: type, from: " FROM (SELECT \(high) AS h, \(low) AS l\(clauses))")
    }

    private static func fitted(
        _ value: String, of source: AttributeType?, as type: AttributeType, from clauses: String
    ) -> String {
        guard let source, let fit = fit(source, as: type) else { return "(SELECT \(value)\(clauses))" }
        return "(SELECT \(fit) FROM (SELECT \(value) AS v\(clauses)))"
    }

    /// Returns the SQL of a value `v` in the type of an attribute, or `nil` if it needs no change.
    private static func fit(_ source: AttributeType, as type: AttributeType) -> String? {
        guard type.isWhole, source != type else { return nil }
        guard source.isWhole || source.isNumeric else { return "NULL" }
        switch type {
        case .boolean: return source.isWhole ? "v <> 0" : "CASE WHEN v = CAST(v AS INTEGER) THEN v <> 0 END"
        case .integer16: return source == .boolean ? nil : "CASE WHEN v > -32769 AND v < 32768 \(whole)"
        case .integer32:
            return source == .boolean || source == .integer16
                ? nil : "CASE WHEN v > -2147483649 AND v < 2147483648 \(whole)"
        default:
            return source.isWhole
                ? nil : "CASE WHEN v > -9223372036854775808.0 AND v < 9223372036854775808.0 \(whole)"
        }
    }

    private static let whole = "THEN CAST(v AS INTEGER) END"
}

extension DerivationBuilder {
    /// The attribute's triggers.
    ///
    /// - Parameter tableNames: the names of all tables of the store.
    func schema(tableNames: Set<String>) -> DerivationSchema {
        DerivationSchema(
            entityName: entity.entity.name, attributeName: derivation.attribute.name,
            triggers: events.map(trigger), isFitted: value != plainValue, plainTriggers: plainTriggers,
            formerTriggers: formerTriggers, entityNumbers: entity.familyNumbers, tableNames: tableNames,
            computeStatement:
                "UPDATE \(entity.table.identifier) SET \(column.identifier) = \(value)\(formerFamily.map { " WHERE \($0)" } ?? "")",
            differenceStatement: differenceStatement, tableName: entity.table.name)
    }

    private var plainTriggers: [TriggerSchema] {
        events.map(trigger).map { trigger in
            TriggerSchema(
                name: trigger.name,
                createStatement: trigger.createStatement.replacing(value, with: plainValue))
        }
    }

    /// A count of nothing may be none: of objects that were there before the attribute was. Sums and averages of floating-point
    /// numbers depend on the order of the rows.
    private var differenceStatement: String {
        let own = "\(entity.table.identifier).\(column.identifier)"
        let isOther =
            switch derivation.source {
            case .related(let path) where path.terminal.isCount: "ifnull(\(own), 0) IS NOT ifnull(\(value), 0)"
            case .related(let path) where path.terminal.isSum:
                "\(own) IS NOT \(value) AND NOT ifnull(abs(\(own) - \(value)) <= 1e-9 * abs(\(value)), 0)"
            default: "\(own) IS NOT \(value)"
            }
        return """
            SELECT Z_PK FROM \(entity.table.identifier) \
            WHERE \(formerFamily.map { "\($0) AND " } ?? "")\(isOther) ORDER BY Z_PK
            """
    }

    private func trigger(_ event: Event) -> TriggerSchema {
        let name = "Z_DA_\(event.table)_\(entity.entity.name)_\(derivation.attribute.name)_\(event.name)"
        let own = entity.table.identifier
        let function =
            event.name == "SOURCE_INSERT" ? DerivationSchema.insertFunction : DerivationSchema.updateFunction
        let rows = "WHERE \(event.rows)\(family)"
        return TriggerSchema(
            name: name,
            createStatement: """
                CREATE TRIGGER \(SQLIdentifier.quotedIfNeeded(name)) AFTER \(event.place) \
                ON \(SQLIdentifier.quotedIfNeeded(event.table)) FOR EACH ROW\
                \(event.condition.map { " WHEN (\($0))" } ?? "") BEGIN \
                UPDATE \(own) SET \(column.identifier) = \(event.value ?? value) \(rows); \
                SELECT \(function)('\(entity.table.name)', Z_ENT, Z_PK, '\(derivation.attribute.name)', \
                \(column.identifier)) FROM \(own) \(rows); END
                """)
    }

    /// Core Data adds the entity's numbers to a path's triggers where the table has several, but not to a root's count.
    private var family: String {
        if case .toMany = link, entity.entity === entity.table.root { return "" }
        guard entity.sharesTable else { return "" }
        return " AND \(entity.familyNumbers.lowerBound) <= Z_ENT AND Z_ENT <= \(entity.familyNumbers.upperBound)"
    }
}

extension DerivationBuilder {
    /// In Core Data's order.
    private var events: [Event] {
        switch link {
        case .toOne(let key): toOneEvents(key)
        case .toMany(let table, let key):
            source == nil ? countEvents(objects: table, key: key) : aggregateEvents(objects: table, key: key)
        case .manyToMany(let table, let owner, let element):
            manyToManyEvents(links: table, owner: owner, element: element)
        }
    }

    /// Without a PARAMETER_DELETE: an object that goes leaves the to-one to its delete rule, which sets it.
    private func toOneEvents(_ key: String) -> [Event] {
        let (table, objects) = (entity.table.name, destination.name)
        let place = "UPDATE OF \(source ?? "Z_PK")"
        return [
            sourceInsert,
            Event(name: "SOURCE_UPDATE", table: table, place: "UPDATE OF \(key)", rows: "Z_PK = NEW.Z_PK"),
            Event(name: "PARAMETER_INSERT", table: objects, place: "INSERT", rows: "\(key) = NEW.Z_PK"),
            Event(name: "PARAMETER_UPDATE", table: objects, place: place, rows: "\(key) = NEW.Z_PK"),
        ]
    }

    private func countEvents(objects: String, key: String) -> [Event] {
        // An object that is in its own to-many would be counted twice: once as owner, once as element.
        let steps = objects != entity.table.name
        let count = column.identifier
        let identifier = SQLIdentifier.quotedIfNeeded(objects)
        func event(_ name: String, place: String, row: String, value: String) -> Event {
            Event(
                name: "PARAMETER_\(name)", table: objects, place: place,
                condition: "\(row).\(key) NOT NULL\(counts(row, key: key, isUpdate: place.hasPrefix("UPDATE")))",
                value: steps ? value : nil, rows: "Z_PK = \(row).\(key)")
        }
        let update = "UPDATE OF \(([key] + filterColumns).joined(separator: ", "))"
        let events = [
            event("INSERT", place: "INSERT", row: "NEW", value: "IFNULL(\(count), 0) + 1"),
            event("UPDATE_INCREMENT", place: update, row: "NEW", value: "\(count) + 1"),
            event("UPDATE_DECREMENT", place: update, row: "OLD", value: "\(count) - 1"),
            event("DELETE", place: "DELETE", row: "OLD", value: "\(count) - 1"),
        ]
        if derivation.filter != nil { return events + [sourceInsert] }
        return events + [
            Event(
                name: "SOURCE_INSERT", table: entity.table.name, place: "INSERT",
                value: "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(identifier) WHERE \(key) = NEW.Z_PK)",
                rows: "Z_PK = NEW.Z_PK")
        ]
    }

    /// Returns the further condition of a step of a filtered count: the row counts, and an update made it so.
    private func counts(_ row: String, key: String, isUpdate: Bool) -> String {
        guard let new = filters.new, let old = filters.old else { return "" }
        let (own, other) = row == "NEW" ? (new, old) : (old, new)
        return " AND \(own)" + (isUpdate ? " AND (OLD.\(key) IS NOT NEW.\(key) OR (\(other)) IS NOT TRUE)" : "")
    }

    private func aggregateEvents(objects: String, key: String) -> [Event] {
        let columns = ([key, source].compactMap(\.self) + filterColumns).joined(separator: ", ")
        return [
            Event(name: "PARAMETER_INSERT", table: objects, place: "INSERT", rows: "Z_PK = NEW.\(key)"),
            Event(
                name: "PARAMETER_UPDATE", table: objects, place: "UPDATE OF \(columns)",
                rows: "Z_PK IN (OLD.\(key), NEW.\(key))"),
            Event(name: "PARAMETER_DELETE", table: objects, place: "DELETE", rows: "Z_PK = OLD.\(key)"),
            sourceInsert,
        ]
    }

    private func manyToManyEvents(links: String, owner: String, element: String) -> [Event] {
        var events = [
            Event(name: "PARAMETER_INSERT", table: links, place: "INSERT", rows: "Z_PK = NEW.\(owner)"),
            Event(name: "PARAMETER_DELETE", table: links, place: "DELETE", rows: "Z_PK = OLD.\(owner)"),
        ]
        let columns = [source].compactMap(\.self) + filterColumns
        if !columns.isEmpty {
            let owners =
                "SELECT j.\(owner) FROM \(SQLIdentifier.quotedIfNeeded(links)) j WHERE j.\(element) = NEW.Z_PK"
            events.append(
                Event(
                    name: "PARAMETER_UPDATE", table: destination.name,
                    place: "UPDATE OF \(columns.joined(separator: ", "))",
                    rows: "Z_PK IN (\(owners))"))
        }
        return events + [sourceInsert]
    }

    private var sourceInsert: Event {
        Event(name: "SOURCE_INSERT", table: entity.table.name, place: "INSERT", rows: "Z_PK = NEW.Z_PK")
    }
}

extension ResolvedPath.Terminal {
    fileprivate var isCount: Bool {
        if case .count = self { return true }
        return false
    }

    fileprivate var isSum: Bool {
        if case .aggregate(let function, _) = self { return function == .sum || function == .average }
        return false
    }
}

extension Derivation {
    fileprivate var filterRefusal: ModelError {
        refusal(
            """
            The condition of its SUBQUERY compares what SQL cannot compare alike in every program. Compare stored attributes \
            of the counted objects with constants of their type.
            """)
    }

    fileprivate func refusal(_ message: String) -> ModelError {
        ModelError(problems: [
            ModelError.Problem(
                kind: .invalidDerivation, entityName: attribute.entity.name, propertyName: attribute.name,
                message: message)
        ])
    }
}

extension AttributeType {
    /// A Boolean value indicating whether values are whole numbers in the database.
    fileprivate var isWhole: Bool { isInteger || self == .boolean }
}
