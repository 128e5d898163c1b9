extension IdentityMap {
    /// Checks the numbered invariants of the design note. Examines all objects; for tests.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "IdentityMap"
        for (index, object) in objects.enumerated() {
            try require(
                object.registration == index, name, 1,
                "\(object.key) at \(index) is registered at \(object.registration)")
            try require(find(object.key) === object, name, 2, "\(object.key) is not found under its key")
            try require(!object.state.contains(.reached), name, 4, "\(object.key) is still marked")
        }
        try require(table.count == objects.count, name, 2, "\(table.count) keys for \(objects.count) objects")
        for (temporary, permanent) in permanentKeys {
            try require(
                temporary.isTemporary && !permanent.isTemporary, name, 3, "\(temporary) was replaced by \(permanent)")
            try require(
                table.find(temporary.rawValue) == 0, name, 3, "an object still has the temporary key \(temporary)")
        }
    }
}
