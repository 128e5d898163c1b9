import DataMonkCore

/// The triggers that earlier versions of this library wrote: all named after the attribute's own table, where Core Data does
/// not find them. They are known by their text, and replaced.
extension DerivationBuilder {
    /// **Value.** An event and the objects whose value it changes.
    private struct FormerEvent {
        let name: String
        /// `INSERT ON ZPHOTO`
        let place: String
        var condition: String?
        /// The condition for the rows of the attribute's table.
        let rows: String
        /// The amount by which a plain count changes, or `nil` to compute the value.
        var step: Int?
        var isInsert = false
    }

    var formerTriggers: [TriggerSchema] {
        let prefix = "Z_DA_\(entity.table.name)_\(entity.entity.name)_\(derivation.attribute.name)_"
        return formerEvents.map { event in
            let condition = event.condition.map { " WHEN \($0)" } ?? ""
            return TriggerSchema(
                name: prefix + event.name,
                createStatement: """
                    CREATE TRIGGER \(SQLIdentifier.quotedIfNeeded(prefix + event.name)) AFTER \(event.place) \
                    FOR EACH ROW\(condition) BEGIN \(update(event)); \(announcement(event)); END
                    """)
        }
    }

    private var formerEvents: [FormerEvent] {
        let table = entity.table.identifier
        switch link {
        case .toOne(let key):
            return Self.toOneEvents(key: key, table: table, objects: destination.identifier, source: source ?? "Z_PK")
        case .toMany(let objects, let key):
            return Self.toManyEvents(
                key: key, table: table, objects: SQLIdentifier.quotedIfNeeded(objects), source: source)
        case .manyToMany(let links, let owner, let element):
            return Self.manyToManyEvents(
                links: SQLIdentifier.quotedIfNeeded(links), owner: owner, element: element, table: table,
                objects: destination.identifier,
                source: source)
        }
    }

    private func update(_ event: FormerEvent) -> String {
        let value = event.step.map { "COALESCE(\(column.identifier), 0) + \($0)" } ?? plainValue
        return "UPDATE \(entity.table.identifier) SET \(column.identifier) = \(value) WHERE \(rows(event))"
    }

    private func announcement(_ event: FormerEvent) -> String {
        let function = event.isInsert ? DerivationSchema.insertFunction : DerivationSchema.updateFunction
        return """
            SELECT \(function)('\(entity.table.name)', Z_ENT, Z_PK, '\(derivation.attribute.name)', \(column.identifier)) \
            FROM \(entity.table.identifier) WHERE \(rows(event))
            """
    }

    private func rows(_ event: FormerEvent) -> String {
        [event.rows, formerFamily].compactMap(\.self).joined(separator: " AND ")
    }

    /// The condition for the rows of the entity, or `nil` if all rows of the table are.
    var formerFamily: String? {
        entity.sharesTable
            ? "Z_ENT BETWEEN \(entity.familyNumbers.lowerBound) AND \(entity.familyNumbers.upperBound)" : nil
    }
}

extension DerivationBuilder {
    private static func toOneEvents(
        key: String, table: String, objects: String, source: String
    ) -> [FormerEvent] {
        [
            FormerEvent(name: "SOURCE_INSERT", place: "INSERT ON \(table)", rows: "Z_PK = NEW.Z_PK", isInsert: true),
            FormerEvent(name: "SOURCE_UPDATE", place: "UPDATE OF \(key) ON \(table)", rows: "Z_PK = NEW.Z_PK"),
            FormerEvent(name: "PARAMETER_INSERT", place: "INSERT ON \(objects)", rows: "\(key) = NEW.Z_PK"),
            FormerEvent(
                name: "PARAMETER_UPDATE", place: "UPDATE OF \(source) ON \(objects)", rows: "\(key) = NEW.Z_PK"),
            FormerEvent(name: "PARAMETER_DELETE", place: "DELETE ON \(objects)", rows: "\(key) = OLD.Z_PK"),
        ]
    }

    private static func toManyEvents(key: String, table: String, objects: String, source: String?)
        -> [FormerEvent]
    {
        let own = FormerEvent(
            name: "SOURCE_INSERT", place: "INSERT ON \(table)", rows: "Z_PK = NEW.Z_PK", isInsert: true)
        // An object that is in its own to-many would be counted twice: once as owner, once as element.
        guard source == nil, table != objects else {
            let columns = [key, source].compactMap(\.self).joined(separator: ", ")
            return [
                own,
                FormerEvent(name: "PARAMETER_INSERT", place: "INSERT ON \(objects)", rows: "Z_PK = NEW.\(key)"),
                FormerEvent(
                    name: "PARAMETER_UPDATE", place: "UPDATE OF \(columns) ON \(objects)",
                    rows: "Z_PK IN (OLD.\(key), NEW.\(key))"),
                FormerEvent(name: "PARAMETER_DELETE", place: "DELETE ON \(objects)", rows: "Z_PK = OLD.\(key)"),
            ]
        }
        let update = "UPDATE OF \(key) ON \(objects)"
        return [
            own,
            FormerEvent(name: "PARAMETER_INSERT", place: "INSERT ON \(objects)", rows: "Z_PK = NEW.\(key)", step: 1),
            FormerEvent(
                name: "PARAMETER_UPDATE_INCREMENT", place: update, condition: "NEW.\(key) IS NOT OLD.\(key)",
                rows: "Z_PK = NEW.\(key)", step: 1),
            FormerEvent(
                name: "PARAMETER_UPDATE_DECREMENT", place: update, condition: "NEW.\(key) IS NOT OLD.\(key)",
                rows: "Z_PK = OLD.\(key)", step: -1),
            FormerEvent(name: "PARAMETER_DELETE", place: "DELETE ON \(objects)", rows: "Z_PK = OLD.\(key)", step: -1),
        ]
    }

    private static func manyToManyEvents(
        links: String, owner: String, element: String, table: String, objects: String, source: String?
    ) -> [FormerEvent] {
        var events = [
            FormerEvent(name: "SOURCE_INSERT", place: "INSERT ON \(table)", rows: "Z_PK = NEW.Z_PK", isInsert: true),
            FormerEvent(name: "PARAMETER_INSERT", place: "INSERT ON \(links)", rows: "Z_PK = NEW.\(owner)"),
            FormerEvent(name: "PARAMETER_DELETE", place: "DELETE ON \(links)", rows: "Z_PK = OLD.\(owner)"),
        ]
        if let source {
            events.append(
                FormerEvent(
                    name: "PARAMETER_UPDATE", place: "UPDATE OF \(source) ON \(objects)",
                    rows: "Z_PK IN (SELECT j.\(owner) FROM \(links) j WHERE j.\(element) = NEW.Z_PK)"))
        }
        return events
    }
}
