public import DataMonkCore

/// Imports into an update: the objects are its unsaved changes, and its commit writes them.
///
/// Other updates, and imports by ``Stack/importRows(_:from:options:)``, may commit objects of the same keys meanwhile. Declare the
/// keys unique: the commit then meets a conflict. Otherwise there may be two objects of one key.
extension Update {
    /// Imports dictionaries, as decoders make them, as objects of a class: finds each one's object by its key, or creates it,
    /// and sets what the dictionary says.
    ///
    ///     let report = try update.import(Person.self, from: [["id": 1, "name": "Monk"], ["id": 2, "name": "Knight"]])
    ///     try update.commit()
    ///
    /// - Returns: The report, of what the commit will write.
    /// - Throws: ``ImportError``: with the code `invalidMapping` before the first row; `rowFailed`, `commitFailed` and, for an
    ///   asynchronous sequence, `inputFailed` with the report so far. `CancellationError` if the task is cancelled, at the next
    ///   chunk. The chunks before it are in the update.
    /// - Complexity: One SELECT for each chunk and entity.
    @discardableResult
    public func `import`<Object: ManagedObject>(
        _ type: Object.Type, from dictionaries: some Sequence<[String: any Sendable]>,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try importRows(
            of: graph.entity(for: type),
            from: dictionaries.enumerated().lazy.map {
                ImportRow(at: ImportPlace(index: $0.offset), dictionary: $0.element)
            },
            options: options)
    }

    /// Imports values that encode themselves as objects of a class; their coding keys are the names.
    @discardableResult
    public func `import`<Object: ManagedObject>(
        _ type: Object.Type, encoding values: some Sequence<some Encodable>, options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try importRows(
            of: graph.entity(for: type),
            from: values.enumerated().lazy.map { ImportRow(at: ImportPlace(index: $0.offset), encoding: $0.element) },
            options: options)
    }

    /// Imports rows as objects of a class.
    @discardableResult
    public func `import`<Object: ManagedObject>(
        _ type: Object.Type, from rows: some Sequence<ImportRow>, options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try importRows(of: graph.entity(for: type), from: rows, options: options)
    }

    /// Imports rows as objects of an entity.
    @discardableResult
    public func `import`(
        entityName: String, from rows: some Sequence<ImportRow>, options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try importRows(of: graph.entity(named: entityName), from: rows, options: options)
    }

    /// Imports the rows of an asynchronous sequence as objects of a class.
    @discardableResult
    public nonisolated(nonsending) func `import`<Object: ManagedObject, Rows: AsyncSequence>(
        _ type: Object.Type, from rows: Rows, options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport where Rows.Element == ImportRow {
        var writer = try writer(of: graph.entity(for: type), options)
        var iterator = rows.makeAsyncIterator()
        while let row = try await next(&iterator, of: writer) { try writer.add(row) }
        // Inputs may end instead of throwing when they are cancelled.
        try Task.checkCancellation()
        return try writer.finish()
    }

    private nonisolated(nonsending) func next<Iterator: AsyncIteratorProtocol>(
        _ iterator: inout Iterator, of writer: ImportIntoContext
    ) async throws -> ImportRow? where Iterator.Element == ImportRow {
        do {
            return try await iterator.next(isolation: #isolation)
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch {
            throw ImportError.inputFailed(error, report: writer.report)
        }
    }

    private func importRows(
        of entity: Entity, from rows: some Sequence<ImportRow>, options: ImportOptions
    ) throws -> ImportReport {
        var writer = try writer(of: entity, options)
        for row in rows { try writer.add(row) }
        return try writer.finish()
    }

    private func writer(of entity: Entity, _ options: ImportOptions) throws -> ImportIntoContext {
        try ImportIntoContext(parent: graph, plan: ImportPlan(entity, in: graph.directory.model), options: options)
    }
}
