extension ManagedObjectContext {
    /// Checks the numbered invariants of `ContextFamily`, for this context and its descendants. Examines all objects and
    /// reads nothing from stores; for tests.
    package func checkFamilyInvariants() throws(InvariantViolation) {
        let name = "ContextFamily"
        if let parent {
            try require(
                parent.children.contexts.contains { $0 === self }, name, 1, "a parent does not list its child")
        }
        for object in identities.objects {
            try require(
                presentKey(object.key) == object.key, name, 2,
                "\(object.key) was replaced by \(presentKey(object.key)) in a parent")
            for slot in object.home.layout.toOneSlots {
                guard let row = object.row, let key = ObjectKey(slot: RowFormat.word(row, slot)) else { continue }
                try require(
                    presentKey(key) == key, name, 2,
                    "\(object.key) refers to \(key), which was replaced by \(presentKey(key))")
            }
        }
        for child in children.contexts { try child.checkFamilyInvariants() }
    }
}
