extension FaultLoader {
    // MARK: Recording

    /// Records that a read returns a substitute, and reports the error; during an evaluation, which ends with the error,
    /// does neither. Every substitute goes through this method.
    @inline(never)
    func noteFailedRead(of object: ManagedObject, slot: Int? = nil, _ error: any Error) {
        let root = stores.context.faults
        if root.failures.isEvaluating { return root.failures.failEvaluation(error) }
        note(.read, of: object, slot: slot, error: error)
        coordinator.directory.reportIncompleteRead(error, of: context.id)
    }

    /// Records that a write of an object is dropped, and reports the error; for setters, which cannot throw.
    @inline(never)
    func noteDroppedWrite(of object: ManagedObject, slot: Int? = nil, _ error: any Error) {
        note(.write, of: object, slot: slot, error: error)
        coordinator.report(error)
    }

    private func note(_ kind: FailedAccess.Kind, of object: ManagedObject, slot: Int?, error: any Error) {
        let name = slot.map { object.entity.properties[$0].name }
        failures.note(FailedAccess(kind, of: object.anyObjectID, propertyName: name, cause: error))
    }

    // MARK: Saving

    /// Throws an error if there is something to save and an access has failed. Called after hooks and validation, whose
    /// accesses count.
    @inline(__always)
    func requireNoFailedAccesses() throws {
        if !failures.isEmpty { try throwFailedAccesses() }
    }

    @inline(never)
    private func throwFailedAccesses() throws {
        if failures.hasDroppedWrites || context.hasChanges { throw SaveError.unreadValues(failures.entries) }
    }

    /// Throws an error if an access has failed. For writes other than saves, such as batch requests, whose values may
    /// also be computed from a substitute.
    func requireNoFailedAccessesForBatch() throws {
        if !failures.isEmpty { throw SaveError.unreadValues(failures.entries) }
    }

    // MARK: Evaluation in memory

    /// Evaluates conditions, sort terms or key paths on objects of the family.
    ///
    /// - Throws: The error of the first value that could not be read; the errors of `body`.
    func evaluating<Result>(_ body: () throws -> Result) throws -> Result {
        // The objects may be of several contexts of a family, so the root's list is used for the whole family.
        let root = stores.context.faults
        let outer = root.failures.beginEvaluation()
        let result: Result
        do {
            result = try body()
        } catch {
            throw root.failures.endEvaluation(outer) ?? error
        }
        if let error = root.failures.endEvaluation(outer) { throw error }
        return result
    }

    /// Evaluates as `evaluating` does, for calls that throw only ``FetchError``.
    func evaluatingForFetch<Result>(_ body: () throws -> Result) throws(FetchError) -> Result {
        do {
            return try evaluating(body)
        } catch let error as FetchError {
            throw error
        } catch {
            throw FetchError.unreadValues(error)
        }
    }
}

extension SaveError {
    /// Creates an error for properties that could not be read and read as empty, and for dropped setters.
    static func unreadValues(_ accesses: [FailedAccess]) -> SaveError {
        let first = accesses.first
        return SaveError(
            .unreadValues,
            """
            \(accesses.count) properties could not be read or set, so nothing was saved: changes that depend on them \
            could be wrong. The first failure was \(first.map(\.description) ?? "not recorded.") Call rollback() or \
            reset() and make the changes again, or call disregardFailedReads() to save them as they are.
            """,
            entityName: first?.objectID.entityName, objectID: first?.objectID, failedAccesses: accesses,
            underlyingError: first?.cause)
    }
}

extension FetchError {
    /// Creates an error for a value that could not be read; results found without it would be wrong.
    package static func unreadValues(_ cause: any Error) -> FetchError {
        FetchError(
            .unreadValues,
            "A value could not be read, so the result would be wrong: \(cause) Try again.",
            underlyingError: cause)
    }
}
