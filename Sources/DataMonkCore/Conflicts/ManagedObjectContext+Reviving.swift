/// Taking back a deletion that the store does not let through.
extension ManagedObjectContext {
    /// Makes a deleted object one that stays, with a row of the store; and with it what its delete rules did to others:
    /// they lead to it again, and those that were deleted with it stay too.
    func revive(_ object: ManagedObject, as row: Row?) {
        object.state.remove([.deleted, .propagated, .cascaded])
        if object.registration < 0 { identities.register(object) }
        if let row {
            adopt(row, as: object)
            // Values that were changed before the deletion are gone with it.
            if !object.toManys.contains(where: \.hasChanges) { object.state.remove(.updated) }
        }
        for relationship in object.home.layout.relationships {
            switch relationship.deleteRule {
            case .noAction, .deny: continue
            case .cascade, .nullify:
                for destination in destinations(of: relationship, from: object) {
                    attach(object, to: destination, relationship)
                }
            }
        }
        // Objects that are still deleted may delete some of these again.
        for other in changed where other.state.contains(.deleted) { other.state.remove(.propagated) }
    }

    /// Puts an object back at the other end of its relationship, where the deletion took it out.
    private func attach(
        _ object: ManagedObject, to destination: ManagedObject, _ relationship: Entity.Relationship
    ) {
        if destination.state.contains(.deleted) {
            guard destination.state.contains(.cascaded) else { return }
            revive(destination, as: nil)
        }
        guard let inverse = relationship.inverse else { return }
        if inverse.isToMany {
            changeRelation(inverse, of: destination) { $0.insert(object) }
            return
        }
        // One that leads elsewhere by now was told to.
        let row = destination.row ?? fulfill(destination)
        if RowFormat.word(row, inverse.slot) == 0 { putToOne(inverse, of: destination, object) }
    }
}
