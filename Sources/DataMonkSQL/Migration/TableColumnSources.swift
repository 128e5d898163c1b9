import DataMonkCore

/// **Value.** The fillings of a new table's columns from the rows of each old entity.
struct TableColumnSources {
    /// The fillings by the name of the new column, then by the number of the old entity.
    private(set) var byColumn: [String: [Int: ColumnSource]] = [:]

    private let schemas: MigrationSchemas
    /// The old table.
    private let source: TableSchema
    /// The fillings of to-ones that were asked for.
    private var keys: [Origin: KeyFilling?] = [:]

    private struct Origin: Hashable {
        let relationship: Entity.Relationship
        let past: Entity.Relationship?
    }

    private struct KeyFilling {
        let key: ColumnSource
        let entityNumber: ColumnSource
    }

    init(of table: TableSchema, from source: TableSchema, in schemas: MigrationSchemas) {
        self.schemas = schemas
        self.source = source
        for entity in schemas.family(of: table.root) {
            guard let schema = schemas.new.schema(of: entity), let past = schemas.source(of: entity) else { continue }
            for property in entity.properties { fill(property, of: schema, from: past) }
        }
        for storage in schemas.index.visitors[table.root] ?? [] { fillVisitor(storage.relationship, storage: storage) }
    }

    /// Returns the fillings of a to-one's columns: the key, and the number of the destination's entity.
    private mutating func filling(of relationship: Entity.Relationship, in entity: Entity) -> KeyFilling? {
        // Entities that inherit a relationship have it from one source, or by one inverse.
        let origin = Origin(relationship: relationship, past: schemas.mapping.source(of: relationship, in: entity))
        if let known = keys[origin] { return known }
        let filling = schemas.keySource(of: relationship, in: entity, source).map { key in
            KeyFilling(key: key.key(in: schemas), entityNumber: key.entityNumber(in: schemas))
        }
        keys[origin] = .some(filling)
        return filling
    }

    private mutating func set(_ column: ColumnSchema?, for past: EntitySchema, to filling: ColumnSource) {
        if let column { byColumn[column.name, default: [:]][past.number] = filling }
    }

    private mutating func fill(_ property: Entity.Property, of schema: EntitySchema, from past: EntitySchema) {
        switch (property, schema.storage[property.slot]) {
        case (.attribute(let attribute), .value(let column)):
            let old = schemas.mapping.source(of: property, in: schema.entity)?.attribute
            let place = old.flatMap { past.column(of: $0) }
            // Such a value follows a byte that tells where it is stored: 1 for here.
            let isMarked = StoredColumn.Form(attribute) == .externalData
            let wasMarked = old.map { StoredColumn.Form($0) == .externalData } ?? isMarked
            let filling = Self.filling(
                of: attribute.description, from: old?.description, column: place,
                marked: isMarked && !wasMarked)
            set(column, for: past, to: filling)
        case (.attribute(let attribute), .composite(let columns)):
            let old = schemas.mapping.source(of: property, in: schema.entity)?.attribute
            for (element, column) in zip(attribute.description.elements, columns) {
                let place = old.flatMap { past.column(ofElement: element.name, of: $0) }
                set(
                    column, for: past,
                    to: Self.filling(of: element, from: place?.element, column: place?.column, marked: false))
            }
        case (.relationship(let relationship), .toOne(let storage)):
            guard let filling = filling(of: relationship, in: schema.entity) else { return }
            set(storage.column, for: past, to: filling.key)
            set(storage.entityColumn, for: past, to: filling.entityNumber)
        default:
            break
        }
    }

    private static func filling(
        of attribute: AttributeDescription, from old: AttributeDescription?, column: ColumnSchema?, marked: Bool
    ) -> ColumnSource {
        var value = SQLText()
        value.bind(SQLBinding(defaultOf: attribute))
        guard let old, let column else { return attribute.defaultValue.isNull ? .null : .computed(value) }
        var filling = ColumnSource.column(column.name)
        if marked {
            filling = .computed(SQLText(compiled: "CAST(x'01' || \(column.identifier) AS BLOB)"))
        }
        guard old.isOptional, !attribute.isOptional, !attribute.defaultValue.isNull else { return filling }
        var text = SQLText(compiled: "coalesce(")
        text.append(filling.text)
        text.append(", ")
        text.append(value)
        text.append(")")
        return .computed(text)
    }

    // MARK: Columns that a to-many keeps in its destinations' rows

    private mutating func fillVisitor(_ relationship: Entity.Relationship, storage: ToManyStorage) {
        let pasts = LinkRows.all(of: relationship, schemas)
        let sources = relationship.destination.family.compactMap { schemas.source(of: $0) }
        if !storage.isStoredByInverse, pasts.count == 1 {
            // Links from several old relationships are narrowed.
            let key = schemas.keySource(towards: pasts[0], source)?.key(in: schemas) ?? .null
            for past in sources { set(storage.column, for: past, to: key) }
        }
        guard let orderColumn = storage.orderColumn else { return }
        let numbers = Set(sources.map(\.number))
        let keys = (byColumn[storage.column.name] ?? [:]).filter { number, key in
            key != .null && numbers.contains(number)
        }
        if keys.isEmpty { return }
        let ranks = pasts.compactMap { part in
            part.tableName == source.name ? part.order.map { (part: part, column: ColumnSource.column($0)) } : nil
        }
        if pasts.count == 1, let rank = ranks.first {
            for number in keys.keys { byColumn[orderColumn.name, default: [:]][number] = rank.column }
            return
        }
        let order = order(of: keys, by: ranks)
        for number in keys.keys { byColumn[orderColumn.name, default: [:]][number] = order }
    }

    /// Returns an order of rows with the same key: by the ranks in old orders, then by their own keys.
    private func order(
        of keys: [Int: ColumnSource], by ranks: [(part: LinkRows, column: ColumnSource)]
    ) -> ColumnSource {
        func combined(_ fillings: [Int: ColumnSource]) -> String {
            ColumnSource.combined(fillings, numbers: Array(keys.keys), users: { _ in [] }).text.text
        }
        var order = "Z_PK"
        if !ranks.isEmpty {
            let entities = schemas.oldFamily(of: source.root).filter { keys[schemas.oldNumber($0)] != nil }
            let fillings = entities.compactMap { entity in
                let rank = ranks.first { $0.part.mayLead(to: entity, schemas) }
                return rank.map { (schemas.oldNumber(entity), $0.column) }
            }
            order = "\(combined(Dictionary(uniqueKeysWithValues: fillings))), Z_PK"
        }
        let key = combined(keys)
        let place = LinkOrder.expression(partition: key, order: order)
        return .numbered(SQLText(compiled: "CASE WHEN \(key) IS NOT NULL THEN \(place) END"))
    }
}

/// **Value.** The positions in an order that did not exist before.
enum LinkOrder {
    static func expression(partition: String, order: String) -> String {
        let step = LinkWriting.orderKeyStep
        let start = LinkWriting.firstOrderKey - step
        return "\(start) + \(step) * row_number() OVER (PARTITION BY \(partition) ORDER BY \(order))"
    }
}

extension EntitySchema {
    /// Returns the column of an attribute that is not composite.
    func column(of attribute: Entity.Attribute) -> ColumnSchema? {
        if case .value(let column) = storage[attribute.slot] { column } else { nil }
    }

    fileprivate func column(
        ofElement name: String, of attribute: Entity.Attribute
    ) -> (element: AttributeDescription, column: ColumnSchema)? {
        guard case .composite(let columns) = storage[attribute.slot] else { return nil }
        return zip(attribute.description.elements, columns).first { $0.0.name == name }.map {
            (element: $0.0, column: $0.1)
        }
    }
}
