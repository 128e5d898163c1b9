import DataMonkCore

/// **Value.** Writes the triggers of one derived attribute.
///
/// The value is computed anew for each object concerned, but for a plain count, which goes up and down: filling a folder with
/// a thousand photos does not count a thousand times.
struct DerivationBuilder {
    /// **Value.** An event and the objects whose value it changes.
    private struct Event {
        let name: String
        /// `INSERT ON ZPHOTO`
        let place: String
        var condition: String?
        /// Which rows of the attribute's table, as a condition.
        let rows: String
        /// What a plain count changes by; nil to compute the value.
        var step: Int?
        var isInsert = false
    }

    let derivation: Derivation
    let entity: EntitySchema
    let column: ColumnSchema
    /// The value for a row of the attribute's table.
    private let value: String
    private let events: [Event]
    /// Where the objects of a plain count over a to-many lie: their table, and its column with the owner's key.
    private(set) var counted: (table: String, key: String)?

    /// Nil for an attribute that the store does not keep, or that depends on its own object alone.
    ///
    /// - Throws: ``ModelError`` if the value that it is derived from has no column.
    init?(_ derivation: Derivation, _ schemas: [EntitySchema?]) throws(ModelError) {
        guard case .related(let path) = derivation.source, let relationship = path.steps.first,
            let entity = schemas[derivation.attribute.entity.index],
            case .value(let column) = entity.storage[derivation.attribute.slot],
            let destination = schemas[relationship.destination.index]
        else { return nil }
        self.derivation = derivation
        self.entity = entity
        self.column = column
        let table = entity.table.identifier
        let source = try Self.column(path, destination, derivation)
        let figure = Self.figure(path, source)
        switch entity.storage[relationship.slot] {
        case .toOne(let storage):
            value =
                "(SELECT d.\(source ?? "Z_PK") FROM \(destination.table.identifier) d WHERE d.Z_PK = \(table).\(storage.column.identifier))"
            events = Self.toOneEvents(storage, table, destination.table.identifier, source ?? "Z_PK")
        case .toMany(let storage):
            let objects = SQLIdentifier.quotedIfNeeded(storage.tableName)
            value = "(SELECT \(figure) FROM \(objects) d WHERE d.\(storage.column.identifier) = \(table).Z_PK)"
            events = Self.toManyEvents(storage.column.identifier, table, objects, source)
            if source == nil { counted = (storage.tableName, storage.column.identifier) }
        case .manyToMany(let storage):
            let links = SQLIdentifier.quotedIfNeeded(storage.table.name)
            let owner = SQLIdentifier.quotedIfNeeded(storage.sourceColumn)
            let element = SQLIdentifier.quotedIfNeeded(storage.destinationColumn)
            let objects =
                source == nil ? "" : " JOIN \(destination.table.identifier) d ON d.Z_PK = j.\(element)"
            value = "(SELECT \(figure) FROM \(links) j\(objects) WHERE j.\(owner) = \(table).Z_PK)"
            events = Self.manyToManyEvents(
                links, owner: owner, element: element, table, destination.table.identifier, source)
        case .none, .value, .composite:
            return nil
        }
    }

    /// The column behind the relationship; nil for a plain count.
    private static func column(
        _ path: ResolvedPath, _ destination: EntitySchema, _ derivation: Derivation
    ) throws(ModelError) -> String? {
        let attribute: Entity.Attribute?
        switch path.terminal {
        case .attribute(let own): attribute = own
        case .aggregate(_, let inner): attribute = inner.attribute
        case .count, .object, .entityName: return nil
        }
        guard let attribute, case .value(let column) = destination.storage[attribute.slot],
            !RowColumn.Kind(attribute).isExternalData
        else {
            throw ModelError(problems: [
                ModelError.Problem(
                    kind: .invalidDerivation, entityName: derivation.attribute.entity.name,
                    propertyName: derivation.attribute.name,
                    message: """
                        It is derived from an attribute that is transient, composite or kept in files of its own. Derive it \
                        from a plain stored one.
                        """)
            ])
        }
        return column.identifier
    }

    private static func figure(_ path: ResolvedPath, _ column: String?) -> String {
        guard case .aggregate(let function, _) = path.terminal, let column else { return "count(*)" }
        return switch function {
        case .sum: "COALESCE(sum(d.\(column)), 0)"
        case .average: "avg(d.\(column))"
        case .minimum: "min(d.\(column))"
        default: "max(d.\(column))"
        }
    }
}

extension DerivationBuilder {
    private static func toOneEvents(
        _ storage: ToOneStorage, _ table: String, _ objects: String, _ source: String
    ) -> [Event] {
        let key = storage.column.identifier
        return [
            Event(name: "SOURCE_INSERT", place: "INSERT ON \(table)", rows: "Z_PK = NEW.Z_PK", isInsert: true),
            Event(name: "SOURCE_UPDATE", place: "UPDATE OF \(key) ON \(table)", rows: "Z_PK = NEW.Z_PK"),
            Event(name: "PARAMETER_INSERT", place: "INSERT ON \(objects)", rows: "\(key) = NEW.Z_PK"),
            Event(name: "PARAMETER_UPDATE", place: "UPDATE OF \(source) ON \(objects)", rows: "\(key) = NEW.Z_PK"),
            Event(name: "PARAMETER_DELETE", place: "DELETE ON \(objects)", rows: "\(key) = OLD.Z_PK"),
        ]
    }

    private static func toManyEvents(_ key: String, _ table: String, _ objects: String, _ source: String?) -> [Event] {
        let own = Event(name: "SOURCE_INSERT", place: "INSERT ON \(table)", rows: "Z_PK = NEW.Z_PK", isInsert: true)
        // An object that is in its own to-many would be counted twice: once as owner, once as element.
        guard source == nil, table != objects else {
            let columns = [key, source].compactMap(\.self).joined(separator: ", ")
            return [
                own,
                Event(name: "PARAMETER_INSERT", place: "INSERT ON \(objects)", rows: "Z_PK = NEW.\(key)"),
                Event(
                    name: "PARAMETER_UPDATE", place: "UPDATE OF \(columns) ON \(objects)",
                    rows: "Z_PK IN (OLD.\(key), NEW.\(key))"),
                Event(name: "PARAMETER_DELETE", place: "DELETE ON \(objects)", rows: "Z_PK = OLD.\(key)"),
            ]
        }
        let update = "UPDATE OF \(key) ON \(objects)"
        return [
            own,
            Event(name: "PARAMETER_INSERT", place: "INSERT ON \(objects)", rows: "Z_PK = NEW.\(key)", step: 1),
            Event(
                name: "PARAMETER_UPDATE_INCREMENT", place: update, condition: "NEW.\(key) IS NOT OLD.\(key)",
                rows: "Z_PK = NEW.\(key)", step: 1),
            Event(
                name: "PARAMETER_UPDATE_DECREMENT", place: update, condition: "NEW.\(key) IS NOT OLD.\(key)",
                rows: "Z_PK = OLD.\(key)", step: -1),
            Event(name: "PARAMETER_DELETE", place: "DELETE ON \(objects)", rows: "Z_PK = OLD.\(key)", step: -1),
        ]
    }

    private static func manyToManyEvents(
        _ links: String, owner: String, element: String, _ table: String, _ objects: String, _ source: String?
    ) -> [Event] {
        var events = [
            Event(name: "SOURCE_INSERT", place: "INSERT ON \(table)", rows: "Z_PK = NEW.Z_PK", isInsert: true),
            Event(name: "PARAMETER_INSERT", place: "INSERT ON \(links)", rows: "Z_PK = NEW.\(owner)"),
            Event(name: "PARAMETER_DELETE", place: "DELETE ON \(links)", rows: "Z_PK = OLD.\(owner)"),
        ]
        if let source {
            events.append(
                Event(
                    name: "PARAMETER_UPDATE", place: "UPDATE OF \(source) ON \(objects)",
                    rows: "Z_PK IN (SELECT j.\(owner) FROM \(links) j WHERE j.\(element) = NEW.Z_PK)"))
        }
        return events
    }
}

extension DerivationBuilder {
    /// The attribute's triggers.
    var schema: DerivationSchema {
        let prefix = "Z_DA_\(entity.table.name)_\(entity.entity.name)_\(derivation.attribute.name)_"
        let table = entity.table.identifier
        return DerivationSchema(
            entityName: entity.entity.name, attributeName: derivation.attribute.name,
            triggers: events.map { event in
                let condition = event.condition.map { " WHEN \($0)" } ?? ""
                return TriggerSchema(
                    name: prefix + event.name,
                    createStatement: """
                        CREATE TRIGGER \(SQLIdentifier.quotedIfNeeded(prefix + event.name)) AFTER \(event.place) \
                        FOR EACH ROW\(condition) BEGIN \(update(event)); \(announcement(event)); END
                        """)
            }, coreDataTriggers: coreDataTriggers,
            computeStatement:
                "UPDATE \(table) SET \(column.identifier) = \(value)\(family.map { " WHERE \($0)" } ?? "")")
    }

    private func update(_ event: Event) -> String {
        let value = event.step.map { "COALESCE(\(column.identifier), 0) + \($0)" } ?? value
        return "UPDATE \(entity.table.identifier) SET \(column.identifier) = \(value) WHERE \(rows(event))"
    }

    private func announcement(_ event: Event) -> String {
        let function = event.isInsert ? DerivationSchema.insertFunction : DerivationSchema.updateFunction
        return """
            SELECT \(function)('\(entity.table.name)', Z_ENT, Z_PK, '\(derivation.attribute.name)', \(column.identifier)) \
            FROM \(entity.table.identifier) WHERE \(rows(event))
            """
    }

    private func rows(_ event: Event) -> String { [event.rows, family].compactMap(\.self).joined(separator: " AND ") }

    /// Which rows of the table are of the entity; nil where all are.
    private var family: String? {
        entity.sharesTable
            ? "Z_ENT BETWEEN \(entity.familyNumbers.lowerBound) AND \(entity.familyNumbers.upperBound)" : nil
    }
}
