extension ManagedObjectContext {
    /// Checks the numbered invariants of the design note, and those of the identity map; 4 is up to tests that know what
    /// was committed. Looks at everything: for tests.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "ManagedObjectContext"
        try identities.checkInvariants()
        let listed = Set(changed)
        try require(listed.count == changed.count, name, 2, "an object has changed twice")
        for object in changed {
            try require(object.state.contains(.tracked), name, 2, "\(object.key) does not know that it has changed")
        }
        for object in identities.objects {
            try require(object.home.context === self, name, 1, "\(object.key) is of another context")
            try require(!object.hasChanges || listed.contains(object), name, 2, "\(object.key) would not be saved")
            try require(object.draft == nil || listed.contains(object), name, 5, "\(object.key) could be lost")
            for relation in object.toManys { try check(relation, of: object, name) }
        }
        if let snapshot {
            try require(snapshot.generation >= generation, name, 3, "reads \(snapshot.generation) at \(generation)")
        }
    }

    private func check(_ relation: ToManyRelation, of object: ManagedObject, _ name: String) throws(InvariantViolation)
    {
        for member in relation.members where !member.isDeleted && member.registration < 0 {
            // An object that was deleted and saved is in no to-many that has an inverse.
            try require(
                relation.relationship.inverse == nil, name, 1,
                "\(object.key).\(relation.relationship.name) holds \(member.key), which nobody finds")
        }
    }
}
