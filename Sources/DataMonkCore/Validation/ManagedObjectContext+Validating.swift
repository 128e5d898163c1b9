extension ManagedObjectContext {
    /// Asks every changed object whether it may be saved. What they answer may change values: that is for the caller to
    /// see.
    ///
    /// - Throws: ``SaveError`` with the one problem's code, or `multipleValidationErrors` with all of them; the error of a
    ///   hook as it is if it is the only one.
    func validateChanges() throws {
        var problems: [ValidationProblem] = []
        var index = 0
        // Hooks may append to `changed`; the loop reaches what they append.
        while index < changed.count {
            let object = changed[index]
            index += 1
            guard object.hasChanges else { continue }
            if let draft = object.draft, draft.refusedSlot >= 0 { problems.append(.refusedValue(of: object, draft)) }
            do {
                if object.state.contains(.deleted) {
                    try object.validateForDelete()
                } else if object.state.contains(.inserted) {
                    try object.validateForInsert()
                } else {
                    try object.validateForUpdate()
                }
            } catch {
                problems += ValidationProblem.all(of: error, object)
            }
        }
        if let error = ValidationProblem.error(for: problems) { throw error }
    }
}
