extension ManagedObjectContext {
    /// The reads that were answered with a substitute and the writes that were dropped since the changes of the context
    /// were last taken back, each once, the first hundred. While there are any, saving throws.
    public var failedAccesses: [FailedAccess] { failures.entries }

    /// Lets the context save although properties read as empty that could not be read, or setters were dropped.
    ///
    ///     do {
    ///         try context.save()
    ///     } catch let error as SaveError where error.code == .unreadValues {
    ///         // The image is shown, nothing is computed from it: the other changes are right.
    ///         context.disregardFailedReads()
    ///         try context.save()
    ///     }
    ///
    /// The changes stay what they are: whatever was computed from an empty value is saved. `rollback()` and `reset()` are
    /// the ways that lose no stored value.
    public func disregardFailedReads() {
        requireOwner()
        failures.clear()
    }

    // MARK: Noting

    /// Notes that a read is answered with a substitute, and reports the error. Every substitute passes here.
    @inline(never)
    func noteFailedRead(of object: ManagedObject, slot: Int? = nil, _ error: any Error) {
        note(.read, object, slot, error)
    }

    /// Notes that a write of an object is dropped, and reports the error: for setters, which cannot throw.
    @inline(never)
    func noteDroppedWrite(of object: ManagedObject, slot: Int? = nil, _ error: any Error) {
        note(.write, object, slot, error)
    }

    private func note(_ kind: FailedAccess.Kind, _ object: ManagedObject, _ slot: Int?, _ error: any Error) {
        let name = slot.map { object.entity.properties[$0].name }
        failures.note(FailedAccess(kind, of: object.anyObjectID, propertyName: name, cause: error))
        coordinator.report(error)
    }

    // MARK: Saving

    /// Throws if something is to be saved and an access has failed: after hooks and validation, whose accesses count.
    @inline(__always)
    func requireNoFailedAccesses() throws {
        if !failures.isEmpty { try throwFailedAccesses() }
    }

    @inline(never)
    private func throwFailedAccesses() throws {
        if failures.hasDroppedWrites || hasChanges { throw SaveError.unreadValues(failures.entries) }
    }

    /// Throws if an access has failed. For what writes by other ways than changes, such as batch requests: their values may
    /// be computed from a substitute too.
    func requireNoFailedAccessesForBatch() throws {
        if !failures.isEmpty { throw SaveError.unreadValues(failures.entries) }
    }

    // MARK: Evaluating in memory

    /// Evaluates conditions or sort terms of objects of the family.
    ///
    /// - Throws: the error of the first value that could not be read; what `body` throws.
    func evaluating<Result>(_ body: () throws -> Result) throws -> Result {
        // The objects may be of several contexts of a family: the root's list is the family's.
        let root = root
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

    /// As `evaluating`, for calls that throw a ``FetchError`` and nothing else.
    func evaluatingForFetch<Result>(_ body: () throws -> Result) throws(FetchError) -> Result {
        do {
            return try evaluating(body)
        } catch let error as FetchError {
            throw error
        } catch {
            throw FetchError.unreadValues(error)
        }
    }

    /// A read of a condition or a sort term has failed.
    @inline(never)
    func evaluationDidFail(of object: ManagedObject, slot: Int, _ error: any Error) {
        if root.failures.isEvaluating { return root.failures.failEvaluation(error) }
        noteFailedRead(of: object, slot: slot, error)
    }
}

extension SaveError {
    /// Properties read as empty that could not be read, or setters were dropped.
    static func unreadValues(_ accesses: [FailedAccess]) -> SaveError {
        let first = accesses.first
        return SaveError(
            .unreadValues,
            """
            \(accesses.count) properties could not be read or set, and changes that depend on them would be wrong: nothing \
            was saved. The first failure was \(first.map(\.description) ?? "forgotten.") Call rollback() or reset() and make \
            the changes again, or disregardFailedReads() to save them as they are.
            """,
            entityName: first?.objectID.entityName, objectID: first?.objectID, failedAccesses: accesses,
            underlyingError: first?.cause)
    }
}

extension FetchError {
    /// A value could not be read, and what was found without it would be wrong.
    package static func unreadValues(_ cause: any Error) -> FetchError {
        FetchError(
            .unreadValues,
            "A value could not be read, and the result would be wrong without it: \(cause) Try again.",
            underlyingError: cause)
    }
}
