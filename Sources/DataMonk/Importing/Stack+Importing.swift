public import DataMonkCore

/// Imports of a stack: off the main actor, in chunks that are committed one by one, so that memory does not grow with the
/// input.
extension Stack {
    /// Imports rows as objects of a class: finds each row's object by its key, or creates it, and sets what the row says.
    ///
    ///     let report = try await stack.importRows(Person.self, from: rows)
    ///     print("\(report.inserted) new, \(report.updated) changed, \(report.failed) failed")
    ///
    /// Each chunk of rows takes one query for each entity and one commit. A commit is all of its chunk; a chunk whose objects
    /// others have changed meanwhile runs again. A row that fails is in the report, and the others are committed.
    ///
    /// - Throws: ``ImportError``: with the code `invalidMapping` before the first row; `inputFailed`, `commitFailed`,
    ///   `outcomeUnknown` and `rowFailed` with the report so far. `CancellationError` if the task is cancelled: whole chunks are committed.
    /// - Complexity: One SELECT for each chunk and entity, and one INSERT or UPDATE for each object that changes.
    @concurrent @discardableResult
    public func importRows<Object: ManagedObject, Rows: AsyncSequence & Sendable>(
        _ type: Object.Type, from rows: Rows, options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport where Rows.Element == ImportRow {
        guard let entity = model.entity(for: type) else { throw ModelError.unknownClass(type, in: model) }
        return try await importRows(of: entity, from: rows, options: options)
    }

    /// Imports rows as objects of an entity.
    ///
    /// - Throws: as ``importRows(_:from:options:)``; ``/DataMonkCore/FetchError`` for an unknown entity.
    @concurrent @discardableResult
    public func importRows<Rows: AsyncSequence & Sendable>(
        entityName: String, from rows: Rows, options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport where Rows.Element == ImportRow {
        guard let entity = model.entitiesByName[entityName] else {
            throw FetchError.unknownEntity(entityName, in: model)
        }
        return try await importRows(of: entity, from: rows, options: options)
    }

    /// Imports dictionaries, as decoders make them, as objects of a class.
    ///
    ///     try await stack.importRows(Person.self, from: [["id": 1, "name": "Monk"], ["id": 2, "name": "Knight"]])
    ///
    /// - Throws: as ``importRows(_:from:options:)``.
    @concurrent @discardableResult
    public func importRows<Object: ManagedObject>(
        _ type: Object.Type, from dictionaries: some Sequence<[String: any Sendable]> & Sendable,
        options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport {
        try await importRows(
            type, from: ImportRows(dictionaries: SequenceRows(base: dictionaries)), options: options)
    }

    /// Imports values that encode themselves as objects of a class; their coding keys are the names.
    ///
    ///     struct Answer: Codable, Sendable { var id: Int; var name: String }
    ///     try await stack.importRows(Person.self, encoding: try JSONDecoder().decode([Answer].self, from: data))
    ///
    /// - Throws: as ``importRows(_:from:options:)``.
    @concurrent @discardableResult
    public func importRows<Object: ManagedObject>(
        _ type: Object.Type, encoding values: some Sequence<some Encodable & Sendable> & Sendable,
        options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport {
        try await importRows(type, from: ImportRows(encoding: SequenceRows(base: values)), options: options)
    }

    private nonisolated(nonsending) func importRows<Rows: AsyncSequence & Sendable>(
        of entity: Entity, from rows: Rows, options: ImportOptions
    ) async throws -> ImportReport where Rows.Element == ImportRow {
        try await ImportRun(stack: self, plan: ImportPlan(entity, in: model), options: options).run(rows)
    }
}
