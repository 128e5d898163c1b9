package import Foundation

/// **Shared.** The information needed to interpret a coordinator's keys: the model, its row layouts and the stores'
/// identifiers.
package final class ObjectDirectory: Sendable {
    package let model: ManagedObjectModel
    /// The layout of each entity, by `Entity.index`.
    package let layouts: [EntityLayout]
    /// Indicates whether the model has attributes that are derived from other objects.
    package let hasRelatedDerivations: Bool
    /// The indexes of the entities whose objects are members of to-manys without an inverse.
    let entitiesHeldWithoutInverse: Set<Int>
    /// **Value.** A store, open or removed.
    private struct KnownStore: Sendable {
        let identifier: UUID
        var isRemoved = false
    }

    /// The stores by store index.
    private let stores = Locked<[KnownStore]>([])
    private let temporaryKeys = Locked<Int64>(0)
    private let errorHandler = Locked(ErrorHandler())
    private let incompleteReads = Locked<IncompleteReads?>(nil)
    private let transformers = Locked<[String: any AttributeTransformer]>([:])

    private struct ErrorHandler: Sendable {
        var handle: (@Sendable (any Error) -> Void)?
    }

    package init(model: ManagedObjectModel) {
        self.model = model
        layouts = model.entities.map(EntityLayout.init)
        let holders = model.entities.flatMap(\.relationships).filter { $0.isToMany && $0.inverse == nil }
        entitiesHeldWithoutInverse = Set(
            model.entities.filter { entity in holders.contains { entity.isKind(of: $0.destination) } }.map(\.index))
        hasRelatedDerivations = layouts.contains { !$0.relatedDerivations.isEmpty }
    }

    /// Checks that the stores can compute every derivation.
    ///
    /// - Throws: ``ModelError`` naming each derivation that no store can compute.
    package func requireKnownDerivations() throws(ModelError) {
        let problems = layouts.compactMap(\.derivationError).flatMap(\.problems)
        if !problems.isEmpty { throw ModelError(problems: problems) }
    }

    func register(_ transformer: any AttributeTransformer, forName name: String) {
        transformers.withLock { $0[name] = transformer }
    }

    /// Returns the transformer registered for a name.
    func transformer(named name: String) -> (any AttributeTransformer)? { transformers.withLock { $0[name] } }

    /// Sets the handler for errors of calls that cannot throw.
    package func setErrorHandler(_ handler: (@Sendable (any Error) -> Void)?) {
        errorHandler.withLock { $0.handle = handler }
    }

    /// Reports an error that no caller can catch to the error handler.
    package func report(_ error: any Error) {
        let handler = errorHandler.withLock { $0 }
        handler.handle?(error)
    }

    /// Keeps what is read incompletely from now on.
    package func keepIncompleteReads(in reads: IncompleteReads) { incompleteReads.withLock { $0 = reads } }

    /// Reports the error of a read that has returned less than what is stored, to code that could not catch it.
    ///
    /// - Parameter context: The context whose `disregardFailedReads()` permits the code to go on; `nil` for none.
    package func reportIncompleteRead(_ error: any Error, of context: ContextID? = nil) {
        incompleteReads.withLock { $0 }?.note(error, of: context)
        report(error)
    }

    func disregardIncompleteReads(of context: ContextID) { incompleteReads.withLock { $0 }?.disregard(context) }

    /// Returns `true` if all objects of an entity and its sub-entities are instances of a class or its subclasses.
    package func makesOnly<Object: ManagedObject>(_ type: Object.Type, for entity: Entity) -> Bool {
        entity.family.allSatisfy { member in
            let objectClass = layouts[member.index].objectClass
            return objectClass == type || objectClass is Object.Type
        }
    }

    package func layout(of key: ObjectKey) -> EntityLayout { layouts[key.entityIndex] }

    /// Adds a store, and returns its index.
    package func addStore(_ identifier: UUID) -> Int {
        stores.withLock { stores in
            stores.append(KnownStore(identifier: identifier))
            return stores.count - 1
        }
    }

    /// Records that a store was removed. Its objects keep their URIs, by which nothing is found any more.
    func removeStore(_ index: Int) { stores.withLock { $0[index].isRemoved = true } }

    /// Reserves `count` primary keys for temporary keys, which are never reused, and returns the first one.
    package func reserveTemporaryKeys(_ count: Int64) -> Int64 {
        temporaryKeys.withLock { last in
            defer { last += count }
            return last + 1
        }
    }

    package func uri(of key: ObjectKey) -> URL {
        let name = model.entities[key.entityIndex].name
        let text: String
        if key.isTemporary {
            text = "x-coredata:///\(name)/t\(key.primaryKey)"
        } else {
            let identifier = stores.withLock { key.storeIndex < $0.count ? $0[key.storeIndex].identifier : nil }
            text = "x-coredata://\(identifier?.uuidString ?? "")/\(name)/p\(key.primaryKey)"
        }
        // Entity names consist of letters, digits and underscores, so the text is a valid URL.
        return URL(string: text) ?? URL.fallback
    }

    /// Returns the key for a URI that ``uri(of:)`` created, or `nil` if it is not one of this coordinator's.
    package func key(of uri: URL) -> ObjectKey? {
        let parts = uri.path.split(separator: "/")
        guard uri.scheme == "x-coredata", parts.count == 2, parts[1].hasPrefix("p"),
            let primaryKey = Int64(parts[1].dropFirst()), primaryKey > 0, primaryKey <= ObjectKey.maximumPrimaryKey,
            let entity = model.entitiesByName[String(parts[0])],
            let identifier = uri.host.flatMap(UUID.init(uuidString:)),
            let store = stores.withLock({ $0.firstIndex { $0.identifier == identifier && !$0.isRemoved } })
        else { return nil }
        return ObjectKey(store: store, entity: entity.index, primaryKey: primaryKey)
    }
}
