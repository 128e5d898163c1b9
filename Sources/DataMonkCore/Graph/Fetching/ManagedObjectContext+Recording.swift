extension ManagedObjectContext {
    /// Runs a body and returns with its result the part of the stores that it has read, through this context and its
    /// children. The context must have read nothing before.
    package func recordingReads<Result>(_ body: () throws -> Result) rethrows -> (Result, ReadRegion) {
        readRegion = ReadRegion()
        defer { readRegion = nil }
        let result = try body()
        return (result, readRegion ?? ReadRegion())
    }

    /// Moves a context to the newest commit, runs a body, and returns with its result what it has read, objects that the
    /// context has read before included, if the body comes to them by a fetch, an id or a relationship.
    ///
    /// - Throws: The error of the first value that could not be read; the errors of `body`.
    package func recordingSteps<Result>(_ body: () throws -> Result) throws -> (Result, ReadRegion) {
        requireOwner()
        do {
            beginCall()
            defer { endCall() }
            try advance()
        }
        notesSteps = true
        defer { notesSteps = false }
        return try faults.evaluating { try recordingReads(body) }
    }

    /// Notes that the object with a key is read, if anybody wants to know.
    func noteRead(of key: ObjectKey) {
        if root.readRegion != nil { noteRead(of: directory.model.entities[key.entityIndex]) }
    }

    /// Notes that an object is read, and others of its hierarchy perhaps with it.
    @inline(__always)
    func noteRead(of entity: Entity) {
        if root.readRegion != nil { root.readRegion?.addHierarchy(of: entity) }
    }

    /// Notes that a to-many is read.
    func noteRead(of toMany: Entity.Relationship) {
        if root.readRegion != nil { root.readRegion?.add(toMany) }
    }
}
