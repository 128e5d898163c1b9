extension IdentityMap {
    /// Checks the numbered invariants of the design note. Examines all objects; for tests.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "IdentityMap"
        for (index, object) in objects.enumerated() {
            try require(
                object.registration == index, in: name, invariant: 1,
                otherwise: "\(object.key) at \(index) is registered at \(object.registration)")
            try require(
                find(object.key) === object, in: name, invariant: 2,
                otherwise: "\(object.key) is not found under its key")
            try require(
                !object.state.contains(.reached), in: name, invariant: 4, otherwise: "\(object.key) is still marked")
        }
        try require(
            table.count == objects.count, in: name, invariant: 2,
            otherwise: "\(table.count) keys for \(objects.count) objects")
        for key in permanentKeys.keys {
            try require(
                key.isTemporary, in: name, invariant: 3, otherwise: "\(key) is permanent, and not among the successors")
        }
        for key in successors.keys {
            try require(!key.isTemporary, in: name, invariant: 3, otherwise: "the temporary key \(key) has a successor")
        }
        for key in [permanentKeys, successors].flatMap(\.keys) {
            try require(
                table.find(key.rawValue) == 0, in: name, invariant: 3,
                otherwise: "an object still has the former key \(key)")
        }
    }
}
