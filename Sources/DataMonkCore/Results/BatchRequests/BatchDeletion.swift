/// **Confined.** Deletes objects by their keys and applies the delete rules of their relationships. All stores share this
/// algorithm and carry out each step for many objects at a time.
///
/// All objects to delete are found first, following cascades to their end. Only then is it known whether a denying
/// relationship still has a destination, and which to-ones must be cleared.
struct BatchDeletion {
    private let transaction: any StoreTransaction
    private let directory: ObjectDirectory
    private var doomed: Set<ObjectKey> = []
    /// The keys in the order in which they were found.
    private var keys: [ObjectKey] = []

    init(transaction: any StoreTransaction, directory: ObjectDirectory) {
        self.transaction = transaction
        self.directory = directory
    }

    mutating func run(_ requested: [ObjectKey], recording changes: inout BatchChanges) throws {
        if requested.isEmpty { return }
        try findAll(from: requested)
        let groups = grouped(keys)
        for (relationship, owners) in relationships(of: groups, with: .deny) {
            try refuse(relationship, from: owners)
        }
        for (relationship, owners) in relationships(of: groups, with: .nullify) {
            try nullify(relationship, from: owners, recording: &changes)
        }
        try transaction.delete(keys)
        changes.noteDeleted(keys)
        try changes.noteConsequences(in: transaction)
    }

    /// Follows cascades to their end.
    private mutating func findAll(from requested: [ObjectKey]) throws {
        var frontier = requested
        while !frontier.isEmpty {
            let new = frontier.filter { doomed.insert($0).inserted }
            keys += new
            frontier = []
            // So that nobody adds a reference behind the search.
            try transaction.lockRows(of: ChangeSet(deleting: new))
            for (relationship, owners) in relationships(of: grouped(new), with: .cascade) {
                frontier += try lockedDestinations(of: relationship, from: owners)
            }
        }
    }

    private func refuse(_ relationship: Entity.Relationship, from owners: [ObjectKey]) throws {
        let left = try survivors(of: relationship, from: owners)
        if left.isEmpty { return }
        throw SaveError(
            .relationshipDeniedDelete,
            """
            Objects of \(relationship.entity.name) cannot be deleted while their \(relationship.name) relationship \
            has objects; \(left.count) would remain. Delete or move those first.
            """, entityName: relationship.entity.name)
    }

    private func nullify(
        _ relationship: Entity.Relationship, from owners: [ObjectKey], recording changes: inout BatchChanges
    ) throws {
        // Links are deleted with the rows.
        guard let inverse = relationship.inverse, !inverse.isToMany, !inverse.isTransient else { return }
        let left = Set(try lockedDestinations(of: relationship, from: owners)).subtracting(doomed).sorted()
        if left.isEmpty { return }
        if !inverse.isOptional {
            throw SaveError(
                .missingMandatoryProperty,
                """
                Deleting objects of \(relationship.entity.name) would leave \(inverse.entity.name).\(inverse.name) \
                without a value, but the model requires one. Delete or move those objects first.
                """, entityName: inverse.entity.name)
        }
        changes.noteUpdated(try transaction.clear(inverse, of: left), isRequested: false)
        try changes.noteConsequences(in: transaction)
    }

    /// Returns the destinations of some objects as they stay until the end of the transaction. Where others are not excluded,
    /// they may move what was found until it is locked, so it is found again under the locks.
    private func lockedDestinations(
        of relationship: Entity.Relationship, from owners: [ObjectKey]
    ) throws -> [ObjectKey] {
        var found = try transaction.destinationKeys(of: relationship, from: owners)
        if transaction.excludesOthers { return found }
        var locked = doomed
        while true {
            let new = found.filter { locked.insert($0).inserted }
            if new.isEmpty { return found }
            try transaction.lockRows(of: ChangeSet(deleting: new))
            found = try transaction.destinationKeys(of: relationship, from: owners)
        }
    }

    private func survivors(of relationship: Entity.Relationship, from owners: [ObjectKey]) throws -> [ObjectKey] {
        let destinations = try transaction.destinationKeys(of: relationship, from: owners)
        return Set(destinations).subtracting(doomed).sorted()
    }

    private func grouped(_ keys: [ObjectKey]) -> [(entity: Int, keys: [ObjectKey])] {
        Dictionary(grouping: keys, by: \.entityIndex).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func relationships(
        of groups: [(entity: Int, keys: [ObjectKey])], with rule: DeleteRule
    ) -> [(Entity.Relationship, [ObjectKey])] {
        groups.flatMap { group in
            directory.layouts[group.entity].relationships
                .filter { $0.deleteRule == rule && !$0.isTransient }.map { ($0, group.keys) }
        }
    }
}

@available(*, unavailable)
extension BatchDeletion: Sendable {}
