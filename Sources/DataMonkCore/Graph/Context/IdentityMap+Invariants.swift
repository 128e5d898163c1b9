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
        for (temporary, permanent) in permanentKeys {
            try require(
                temporary.isTemporary && !permanent.isTemporary, in: name, invariant: 3,
                otherwise: "\(temporary) was replaced by \(permanent)")
            try require(
                table.find(temporary.rawValue) == 0, in: name, invariant: 3,
                otherwise: "an object still has the temporary key \(temporary)")
        }
    }
}
