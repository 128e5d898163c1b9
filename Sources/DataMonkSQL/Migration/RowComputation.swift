package import DataMonkCore
import Foundation

/// **Value.** The computed attributes of an entity's objects: a query over the old rows, or the new ones for what is derived
/// from them, and the statement that completes the new ones.
package struct RowComputation: Sendable {
    /// The name of the entity in the version that is read.
    package let sourceName: String
    /// The name of the entity in the new version.
    package let entityName: String
    /// The query for the rows: the key, then the columns.
    package let selection: String
    /// The statement that writes the values in the order of `computations`, and then takes the key.
    package let update: String
    /// The attributes that are read.
    package let columns: [ValueColumn]
    package let computations: [AttributeComputation]
    /// The old name of the table that is read.
    package let tableName: String

    /// Returns `nil` if no attribute of the entity is computed, or if it has no objects in the store.
    init?(of entity: Entity, in schemas: MigrationSchemas) {
        let computations = schemas.mapping.computations(of: entity)
        guard !computations.isEmpty, !entity.isAbstract, let past = schemas.source(of: entity), !past.entity.isAbstract,
            let schema = schemas.new.schema(of: entity)
        else { return nil }
        var read: [String: Entity.Attribute] = [:]
        for source in computations.flatMap(\.sources) { read[source.name] = source }
        let sources = read.values.sorted { $0.slot < $1.slot }
        let names = sources.compactMap { past.column(of: $0)?.identifier }
        let written = computations.compactMap { schema.column(of: $0.attribute)?.identifier }
        guard names.count == sources.count, written.count == computations.count else { return nil }
        sourceName = past.entity.name
        entityName = entity.name
        tableName = past.table.name
        columns = sources.enumerated().map { ValueColumn($0.element, at: $0.offset + 1) }
        self.computations = computations
        selection = """
            SELECT \((["Z_PK"] + names).joined(separator: ", ")) \
            FROM \(schemas.identifier(ofOldTable: past.table.name)) WHERE Z_ENT = \(past.number)
            """
        let assignments = written.map { "\($0) = ?" }.joined(separator: ", ")
        update = "UPDATE \(schema.table.identifier) SET \(assignments) WHERE Z_PK = ?"
    }

    /// Creates the computation of an attribute that is derived from the objects of the new version themselves.
    ///
    /// - Parameter numbers: The new numbers of the entities whose objects get a value.
    init?(of part: AttributeComputation, in schema: EntitySchema, numbers: [Int], oldTable: String) {
        let sources = part.sources.compactMap { schema.column(of: $0)?.identifier }
        guard let written = schema.column(of: part.attribute)?.identifier, sources.count == part.sources.count else {
            return nil
        }
        sourceName = schema.entity.name
        entityName = schema.entity.name
        tableName = oldTable
        columns = part.sources.enumerated().map { ValueColumn($0.element, at: $0.offset + 1) }
        computations = [part]
        // By key: the statement that writes the rows would change an index that they are read by.
        selection = """
            SELECT \((["Z_PK"] + sources).joined(separator: ", ")) FROM \(schema.table.identifier) NOT INDEXED \
            WHERE Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))
            """
        update = "UPDATE \(schema.table.identifier) SET \(written) = ? WHERE Z_PK = ?"
    }

    /// Returns the stored form of a computed value, or `nil` if the attribute cannot have the value.
    package static func binding(_ value: ManagedValue, for computation: AttributeComputation) -> SQLBinding? {
        // As other writes store them: a Boolean is 0 or 1, a Float has the precision of one.
        let value =
            switch (computation.attribute.type, value) {
            case (.boolean, .int(let number)): ManagedValue.bool(number != 0)
            case (.float, .double(let number)): ManagedValue.double(Double(Float(number)))
            case (.float, .decimal(let number)): ManagedValue.double(Double(Float(number.description) ?? .infinity))
            default: value
            }
        return computation.accepts(value) ? SQLBinding(value, storedIn: computation.attribute.description) : nil
    }
}
