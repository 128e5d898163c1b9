extension IdentityMap {
    /// Checks the numbered invariants of the design note. Looks at everything: for tests.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "IdentityMap"
        for (index, object) in objects.enumerated() {
            try require(object.registration == index, name, 1, "\(object.key) at \(index) says \(object.registration)")
            try require(find(object.key) === object, name, 2, "\(object.key) is not found under its key")
        }
        let known = objects.count + aliases.count
        try require(table.count == known, name, 2, "\(table.count) keys for \(known) objects and aliases")
        for alias in aliases {
            let object = find(alias)
            try require(alias.isTemporary && object?.key.isTemporary == false, name, 3, "\(alias) is no alias")
        }
    }
}
