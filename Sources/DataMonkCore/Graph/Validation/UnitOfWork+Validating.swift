extension UnitOfWork {
    /// Validates every changed object. Hooks may change values; the caller must check for that.
    ///
    /// - Throws: ``SaveError`` with the code of a single problem, or `multipleValidationErrors` with all of them; the error
    ///   of a hook unchanged if it is the only one.
    func validateChanges() throws {
        var problems: [ValidationProblem] = []
        var index = 0
        // Hooks may append to `changed`; the loop reaches these objects, too.
        while index < changed.count {
            let object = changed[index]
            index += 1
            guard object.hasChanges else { continue }
            if object.mayHaveRefusals, let draft = object.draft {
                problems += ValidationProblem.refusals(of: object, draft)
            }
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

extension ManagedObject {
    /// Indicates whether a setter may have been called with a value that the row could not take.
    fileprivate final nonisolated var mayHaveRefusals: Bool {
        guard let draft else { return false }
        // By pattern: a comparison with `nil` would retain the increments.
        if case .some = draft.increments { return true }
        return draft.refusedSlot >= 0
    }
}
