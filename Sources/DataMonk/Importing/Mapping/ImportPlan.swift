import DataMonkCore

/// **Shared.** The way from rows to the objects of an entity and of all that its relationships lead to, found in the model
/// before the first row.
final class ImportPlan: Sendable {
    /// The mappings; that of the rows themselves comes first.
    let mappings: [ImportMapping]
    let tables: [ImportTable]

    /// - Throws: ``ImportError`` with the code `invalidMapping`, which names everything that is wrong.
    init(_ entity: Entity, in model: ManagedObjectModel) throws {
        var builder = ImportPlanBuilder(model: model)
        let main = builder.mapping(of: .init(entity: entity, keyNames: nil))
        if case .ambiguous(let error) = builder.mappings[main].identity { builder.problems.append(error.message) }
        guard builder.problems.isEmpty else { throw ImportError.invalidMapping(builder.problems, of: entity) }
        mappings = builder.mappings
        tables = builder.tables
    }

    var main: ImportMapping { mappings[0] }
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
