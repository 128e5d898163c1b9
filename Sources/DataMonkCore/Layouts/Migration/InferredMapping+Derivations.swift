import Foundation

extension InferredMapping {
    /// Returns the attributes of a new entity that are derived from the object itself, and whose values have to be computed
    /// anew: they are new or derived in another way, or the mapping changes what they are derived from. Each value is made
    /// of the new version's values, in slot order.
    ///
    /// Nothing else computes them: an object's own derivations are written when it is saved. Those from other objects are
    /// computed with their triggers.
    package func rederivations(of entity: Entity) -> [AttributeComputation] {
        guard let old = source(of: entity) else { return [] }
        let past = Self.ownDerivations(of: old)
        // One time for all objects, that of the migration, which is the first save with the attribute.
        let now = Date()
        var stale: Set<Int> = []
        return Self.ownDerivations(of: entity).compactMap { derivation in
            if isKept(derivation, of: entity, among: past, stale: stale) { return nil }
            stale.insert(derivation.attribute.slot)
            return derivation.ownComputation(at: now)
        }
    }

    private static func ownDerivations(of entity: Entity) -> [Derivation] {
        // Reason for try?: a store with a derivation of an unknown form is not migrated to its model; an old version may
        // have one, whose successor then counts as derived in another way.
        ((try? Derivation.all(of: entity)) ?? []).filter { !$0.isRelated }
    }

    /// - Parameter stale: The slots of attributes whose values are computed anew.
    private func isKept(
        _ derivation: Derivation, of entity: Entity, among past: [Derivation], stale: Set<Int>
    ) -> Bool {
        let source = source(of: .attribute(derivation.attribute), in: entity)?.attribute
        guard let old = past.first(where: { $0.attribute.slot == source?.slot }) else { return false }
        switch (derivation.source, old.source) {
        case (.now, .now): return true
        case (.own(let attribute, let form), .own(let former, let formerForm)):
            guard form == formerForm, !stale.contains(attribute.slot) else { return false }
            // Objects without a value may get the default.
            let gainsValues = former.isOptional && !attribute.isOptional && !attribute.description.defaultValue.isNull
            return self.source(of: .attribute(attribute), in: entity)?.slot == former.slot && !gainsValues
        default: return false
        }
    }
}

extension Derivation {
    fileprivate func ownComputation(at date: Date) -> AttributeComputation? {
        switch source {
        case .now:
            AttributeComputation(attribute: attribute, sources: []) { _, _ in .date(date) }
        case .own(let source, let form):
            AttributeComputation(attribute: attribute, sources: [source]) { row, _ in
                fitting(form.of(try row.value(forKey: source.name)))
            }
        case .related: nil
        }
    }
}
