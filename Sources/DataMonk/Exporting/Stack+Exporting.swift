public import DataMonkCore

/// Exports of a stack: off the caller's thread, from one state of the stores, with the memory of some hundred objects.
extension Stack {
    /// Writes the objects of a fetch to a file, or hands them to a function part by part.
    ///
    ///     let report = try await stack.exportRows(Person.self, %"age" >= 18, to: .file(url))
    ///     print("\(report.rows) people, \(report.bytes) bytes")
    ///
    /// The names and forms of values are those that ``importRows(_:from:options:)`` reads, so that the import of an export
    /// gives the same objects. The objects are those of one state of the stores: everything that was committed before the call,
    /// and nothing of what is committed during it. Unsaved changes are not among them. Objects of sub-entities are written with
    /// the properties of the entity; export sub-entities by themselves for the rest.
    ///
    /// A file appears when it is complete. If the export fails, if the task is cancelled or if the process ends, there is none.
    /// A file of one of the stack's stores is never replaced.
    ///
    /// - Parameters:
    ///   - orderBy: The order; `nil` for that of the key that tells objects apart, if it is one attribute.
    ///   - fetching: Options of the fetch.
    /// - Throws: ``/DataMonkCore/FetchError`` for an invalid fetch, ``ImportError`` with the code `invalidMapping` for an invalid
    ///   one in the model, ``FormatError`` for a property that the format cannot have, a file that exists or cannot be written,
    ///   or an object without the key by which a relationship is written; ``StoreError``; `CancellationError`; the error of a sink.
    /// - Complexity: One SELECT for the ids, 8 bytes for each, and some for each batch of 500 objects; and a SELECT over each
    ///   related entity whose key the model does not declare unique, for the keys that several objects have.
    @discardableResult
    public nonisolated(nonsending) func exportRows<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, fetching: QueryOptions? = nil,
        to target: ExportTarget, options: ExportOptions = ExportOptions()
    ) async throws -> ExportReport {
        guard let entity = model.entity(for: type) else { throw ModelError.unknownClass(type, in: model) }
        return try await exportRows(of: entity, query, orderBy, fetching, to: target, options)
    }

    /// Writes the objects of an entity to a file, or hands them to a function part by part.
    ///
    /// - Throws: as ``exportRows(_:_:orderBy:fetching:to:options:)``.
    @discardableResult
    public nonisolated(nonsending) func exportRows(
        entityName: String, _ query: Query? = nil, orderBy: OrderBy? = nil, fetching: QueryOptions? = nil,
        to target: ExportTarget, options: ExportOptions = ExportOptions()
    ) async throws -> ExportReport {
        guard let entity = model.entitiesByName[entityName] else {
            throw FetchError.unknownEntity(entityName, in: model)
        }
        return try await exportRows(of: entity, query, orderBy, fetching, to: target, options)
    }

    private nonisolated(nonsending) func exportRows(
        of entity: Entity, _ query: Query?, _ orderBy: OrderBy?, _ fetching: QueryOptions?, to target: ExportTarget,
        _ options: ExportOptions
    ) async throws -> ExportReport {
        try target.requireNone(
            of: storeDescriptions.compactMap(\.url), because: "is a file of a store of this stack")
        let plan = try ExportPlan(entity, in: model, options: options)
        let context = ReadContext(UpdateSettings(stack: self, mergePolicy: .error, order: nil, deadline: nil))
        let call = UpdateCall("exportRows", file: #fileID, line: #line)
        return try await context.run(call, until: nil) { reader in
            var request = try reader.request(
                entity.name, where: query, orderBy: orderBy ?? plan.usualOrder, options: fetching)
            request.fetchBatchSize = 500
            request.relationshipKeyPathsForPrefetching = plan.keyPathsToPrefetch
            return try ExportRun(request: request, plan: plan, target: target, options: options).run(in: reader.graph)
        }
    }
}

extension ExportPlan {
    /// The order of the key that tells the rows apart, if it is one attribute.
    fileprivate var usualOrder: OrderBy? {
        guard let keys = forms[rowForm].keys, keys.count == 1 else { return nil }
        return .Ascending(keys[0].attribute.name)
    }

    /// The relationships whose objects the rows are written with, so that a batch takes a statement for each of them. Deeper
    /// ones are read in cohorts.
    fileprivate var keyPathsToPrefetch: [String] {
        let outer = relationships(of: rowForm, atLevel: 0)
        var found = outer.map(\.relationship.name)
        if depth > 0 {
            for imported in outer {
                // Those of a sub-entity, which `className` may name, are none of the destination's.
                let names = relationships(of: imported.mapping, atLevel: 1).map(\.relationship.name)
                    .filter { imported.relationship.destination.propertiesByName[$0] != nil }
                found += names.map { "\(imported.relationship.name).\($0)" }
            }
        }
        return Array(found.prefix(40))
    }

    private func relationships(of form: Int, atLevel level: Int) -> [ImportedRelationship] {
        forms[form].properties.compactMap { property in
            guard case .relationship(let imported) = property, writes(imported, atLevel: level) else { return nil }
            return imported
        }
    }
}
