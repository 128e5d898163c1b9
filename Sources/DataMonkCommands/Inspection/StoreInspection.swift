import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
package import Foundation

/// **Confined.** Inspects a store of any writer without changing it: everything is read from a ``PrivateCopy``.
///
///     let inspection = try StoreInspection(storeAt: url)
///     print(inspection.report.text)
///     print(try inspection.page(of: "Person", limit: 20).text(width: 80))
/// Objects are read with the model inside the store. If there is none, or it is not understood, they are read with the given
/// model, provided that it is the store's. With neither, there are names and counts, but no objects.
package final class StoreInspection {
    package let report: StoreReport
    private let copy: PrivateCopy
    private let objects: Objects

    /// The context for reading objects, or the error that prevents it.
    private enum Objects {
        case readable(ManagedObjectContext)
        case unreadable(any Error)
    }

    /// Inspects a store.
    ///
    /// - Parameter modelURL: A model to compare it with: an `.xcdatamodeld`, `.xcdatamodel` or `.momd` folder, a `.mom`
    ///   file, or another store.
    /// - Throws: ``StoreError`` if there is no such file, or if it is not a database, not a store, or damaged;
    ///   ``ModelError`` for the given model.
    package init(storeAt url: URL, modelAt modelURL: URL? = nil) throws {
        let copy = try PrivateCopy(of: url)
        let facts = try Self.naming(url) { try StoreFacts.read(copy.url) }
        let given = try modelURL.map { try GivenModel(at: $0, for: facts.metadata) }
        let own = Result { try facts.model(copy.url) }
        var report = StoreReport(url: url, facts: facts)
        // Reason for try?: `own` reports that the model cannot be read.
        report.model.omissions = (try? Self.omissions(in: facts, at: copy.url)) ?? []
        report.comparison = try given.map { try ModelComparison(of: $0, with: facts.metadata) }
        do {
            let (model, source) = try Self.model(own, or: given, for: facts)
            let context = try Self.open(copy.url, model: model, facts: facts)
            report.model.source = source
            report.entities = try Self.entities(of: context)
            report.filteredAttributes = Self.filteredAttributes(of: model)
            objects = .readable(context)
        } catch {
            report.model.problem = Self.message(of: error)
            report.entities = try Self.naming(url) { try EntityFacts.read(copy.url).map(EntityReport.init) }
            objects = .unreadable(error)
        }
        self.report = report
        self.copy = copy
    }

    /// Returns the parts of the model inside the store that are not understood.
    private static func omissions(in facts: StoreFacts, at url: URL) throws -> [String] {
        let archived = try facts.archivedModel(url)
        // Reason for try?: an invalid model is reported as a problem.
        return ((try? archived.model().omissions) ?? archived.omissions).map(\.description)
    }

    // MARK: Objects

    /// Reads some objects of an entity, including those of its sub-entities, in the order of their primary keys.
    ///
    /// - Parameter limit: The maximum number of objects; 0 for all from the offset on.
    /// - Throws: ``FetchError`` for an unknown entity; the error that prevents reading objects, if there is one.
    package func page(of entityName: String, limit: Int = 0, offset: Int = 0) throws -> RowPage {
        switch objects {
        case .unreadable(let error): throw Self.renamed(error, to: report.url)
        case .readable(let context):
            defer { context.endTurn() }
            return try Self.naming(report.url) {
                try RowPage(of: entityName, in: context, limit: limit, offset: offset)
            }
        }
    }

    // MARK: Steps

    private static func model(
        _ own: Result<ManagedObjectModel, any Error>, or given: GivenModel?, for facts: StoreFacts
    ) throws -> (ManagedObjectModel, StoreReport.Model.Source) {
        if case .success(let model) = own { return (model, .store) }
        if let given, given.model.matchingConfiguration(of: facts.metadata) != nil { return (given.model, .given) }
        return (try own.get(), .store)
    }

    private static func open(
        _ url: URL, model: ManagedObjectModel, facts: StoreFacts
    ) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.add(
            SQLiteStore.open(
                url, configuration: model.matchingConfiguration(of: facts.metadata)?.name,
                directory: coordinator.directory, index: 0, durability: .normal))
        let context = ManagedObjectContext(coordinator: coordinator, followsCommits: false, isReadOnly: true)
        // Everything that is reported together is read from one snapshot.
        context.stores.turn.endsWithEachCall = false
        return context
    }

    /// Returns the derived attributes with a condition, each with its derivation.
    private static func filteredAttributes(of model: ManagedObjectModel) -> [String] {
        model.entities.flatMap { entity in
            entity.description.attributes.compactMap { attribute in
                guard let derivation = attribute.derivationExpression, derivation.contains("SUBQUERY") else {
                    return nil
                }
                return "\(entity.name).\(attribute.name): \(derivation)"
            }
        }
    }

    /// Returns the entities of the store, in the order of their numbers.
    private static func entities(of context: ManagedObjectContext) throws -> [EntityReport] {
        defer { context.endTurn() }
        let coordinator = context.coordinator
        let schema = try StoreSchema(model: coordinator.model, configuration: coordinator.stores.first?.configuration)
        return try schema.numbering.entities.map { entity in
            var request = FetchRequest(entityName: entity.name)
            let count = try context.count(request)
            request.includesSubentities = false
            return EntityReport(
                name: entity.name, number: schema.numbering.number(of: entity),
                superentityName: entity.superentity?.name, depth: entity.ancestors.count,
                isAbstract: entity.isAbstract, ownCount: entity.isAbstract ? 0 : try context.count(request),
                count: count)
        }
    }

    // MARK: Errors

    /// Runs `body` and replaces the copy with the store in its errors.
    private static func naming<Value>(_ url: URL, body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw renamed(error, to: url)
        }
    }

    private static func renamed(_ error: any Error, to url: URL) -> any Error {
        guard var error = error as? StoreError else { return error }
        error.storeURL = url
        return error
    }

    static func message(of error: any Error) -> String {
        if error is CancellationError { return "The command was ended before it was done." }
        return (error as? any DataMonkError)?.message ?? "\(error)"
    }
}

@available(*, unavailable)
extension StoreInspection: Sendable {}
