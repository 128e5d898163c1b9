import DataMonkCore

/// **Shared.** The way from rows to the objects of an entity and of all that its relationships lead to, found in the model
/// before the first row.
final class ImportPlan: Sendable {
    /// The mappings; that of the rows themselves comes first.
    let mappings: [ImportMapping]
    let tables: [ImportTable]
    /// The positions of the mappings whose objects are found by keys: one for each table.
    let keyedMappings: [Int]
    /// Indicates whether code of a class may run.
    let isHooked: Bool
    /// Indicates whether what one row sets can decide which objects the next one finds: chunks are then matched one by one.
    let isMatchedInOrder: Bool
    /// The keys that rows of each mapping can change, other than the one by which such a row has found its object.
    let otherKeys: [[OtherKey]]

    /// - Throws: ``ImportError`` with the code `invalidMapping`, which names everything that is wrong.
    init(_ entity: Entity, in model: ManagedObjectModel) throws {
        var builder = ImportPlanBuilder(model: model)
        let main = builder.mapping(of: .init(entity: entity, keyNames: nil))
        if case .ambiguous(let error) = builder.mappings[main].identity { builder.problems.append(error.message) }
        guard builder.problems.isEmpty else { throw ImportError.invalidMapping(builder.problems, of: entity) }
        let mappings = builder.mappings
        self.mappings = mappings
        tables = builder.tables
        keyedMappings = mappings.indices.filter { position in
            guard let table = mappings[position].table else { return false }
            return !mappings[..<position].contains { $0.table == table }
        }
        let otherKeys = mappings.map { $0.otherKeys(among: mappings) }
        self.otherKeys = otherKeys
        isHooked = mappings.contains(where: \.isHooked)
        isMatchedInOrder = isHooked || otherKeys.contains { !$0.isEmpty }
    }

    /// Indicates whether rows of a mapping can change keys that rows after them look for. Code of the class may change any.
    func changesKeys(_ mapping: Int) -> Bool { mappings[mapping].isHooked || !otherKeys[mapping].isEmpty }

    var main: ImportMapping { mappings[0] }

    /// **Value.** A key that another mapping looks for objects by.
    struct OtherKey: Sendable {
        /// The position of the objects' table in the plan.
        let table: Int
        /// The positions of its attributes in the mapping whose rows change it; fewer than it has if that lacks some.
        let positions: [Int]
        /// The number of its attributes.
        let count: Int
    }
}

extension ImportMapping {
    /// The position of the table that the objects are looked for in, or `nil` if each row is a new one.
    fileprivate var table: Int? {
        // Swift 6.3's optimizer fails where this is inlined.
        @inline(never) get { if case .key(_, let table) = identity { table } else { nil } }
    }

    /// Returns the keys of other mappings that rows of this one can change.
    fileprivate func otherKeys(among mappings: [ImportMapping]) -> [ImportPlan.OtherKey] {
        mappings.compactMap { other in
            guard case .key(let positions, let otherTable) = other.identity, otherTable != table,
                other.entity.isRelated(to: entity)
            else { return nil }
            let names = positions.map { other.attributes[$0].attribute.name }
            let own = names.compactMap { name in attributes.firstIndex { $0.attribute.name == name } }
            return own.isEmpty ? nil : .init(table: otherTable, positions: own, count: names.count)
        }
    }
}

extension Entity {
    /// Returns `true` if an object can be of both entities.
    fileprivate func isRelated(to other: Entity) -> Bool { isKind(of: other) || other.isKind(of: self) }
}

extension ImportError {
    fileprivate static func invalidMapping(_ problems: [String], of entity: Entity) -> ImportError {
        let text =
            problems.count == 1
            ? problems[0]
            : "The model cannot be used for an import:\n- "
                + problems.joined(separator: "\n- ")
        return ImportError(.invalidMapping, text, entityName: entity.name)
    }
}
