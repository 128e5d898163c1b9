package import DataMonkCore
import DataMonkSQL

/// **Value.** The names of an entity's table and columns, for an application's own queries.
package struct SQLNames: Sendable {
    /// **Value.** The result of a look-up of a property's column.
    package enum Column: Sendable {
        case named(String)
        /// The entity has no such property, or a composite attribute no such element.
        case unknown
        /// The property is kept in several columns, in other tables or not at all.
        case notOwn
    }

    private let schema: EntitySchema

    init(_ schema: EntitySchema) { self.schema = schema }

    package var entity: Entity { schema.entity }
    /// The table, quoted if it must be.
    package var table: String { schema.table.identifier }
    /// The numbers of the entity and its sub-entities in `Z_ENT`.
    package var entityNumbers: ClosedRange<Int> { schema.familyNumbers }

    /// Returns the column of an attribute, of an element of a composite one (`address.city`), or with the key of a to-one
    /// relationship; quoted if it must be.
    package func column(of name: String) -> Column {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard let first = parts.first, let storage = schema.storage(ofPropertyNamed: first) else { return .unknown }
        switch (storage, parts.count) {
        case (.value(let column), 1): return .named(column.identifier)
        case (.toOne(let storage), 1): return .named(storage.column.identifier)
        case (.composite(let columns), 2):
            let elements = schema.entity.attribute(named: first)?.elements ?? []
            guard let place = elements.firstIndex(where: { $0.name == parts[1] }) else { return .unknown }
            return .named(columns[place].identifier)
        default: return .notOwn
        }
    }
}
