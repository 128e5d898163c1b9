import DataMonkCore

/// The rows that are to blame for objects which cannot be saved.
extension ChunkWriter {
    /// Returns the failures of the rows whose objects are not valid.
    ///
    /// - Throws: ``/DataMonkCore/StoreError`` if the store fails meanwhile, which is no row's failure.
    func invalidRows(_ rows: [PreparedRow]) throws -> [Int: ImportFailure] {
        var failures: [Int: ImportFailure] = [:]
        for (row, object) in touched where failures[row] == nil && !object.isDeleted {
            guard let problem = try problem(of: object) else { continue }
            failures[row] = ImportFailure(at: rows[row].place, because: problem)
        }
        return failures
    }

    /// Returns the objects that no row is about, but that rows have made invalid: a member that an array has displaced, and
    /// that must have an owner.
    func invalidOthers() throws -> Set<AnyObjectID> {
        let own = Set(touched.map { ObjectIdentifier($0.object) })
        let others = context.updatedObjects.filter { !own.contains(ObjectIdentifier($0)) }
        return Set(try others.filter { try problem(of: $0) != nil }.map(\.anyObjectID))
    }

    /// Notes a row as the one that has made objects invalid, until a later one makes them valid again.
    mutating func watch(_ watched: Set<AnyObjectID>, after row: Int) throws {
        for id in watched {
            if let object = context.registeredObject(for: id), object.hasChanges, !object.isDeleted,
                let problem = try problem(of: object)
            {
                if culprits[id] == nil { culprits[id] = (row, problem) }
            } else {
                culprits[id] = nil
            }
        }
    }

    /// Returns the reason why an object cannot be saved, or `nil` if it can be.
    private func problem(of object: ManagedObject) throws -> (any Error)? {
        do {
            try object.isInserted ? object.validateForInsert() : object.validateForUpdate()
            return nil
        } catch {
            if error.endsChunk { throw error }
            return error
        }
    }

    /// Returns the unique values of rows that other objects have.
    func takenValues(in conflicts: [MergeConflict]) -> Set<TakenValues> {
        let names = Dictionary(grouping: conflicts, by: \.objectID).mapValues { $0.map(\.constraint) }
        return Set(
            touched.flatMap { row, object in
                (names[object.anyObjectID] ?? []).map { TakenValues(row: row, names: $0) }
            })
    }
}

extension ImportFailure {
    init(at place: ImportPlace, because error: any Error) {
        let key = (error as? ImportError)?.key ?? (error as? SaveError)?.validationProblems.first?.key
        self.init(at: place, key: key, error: error)
    }
}

extension Error {
    /// Indicates whether the error is not one row's: the store failed, or others have deleted what the chunk has read.
    var endsChunk: Bool { self is StoreError || isOfDeletedObject }

    /// Indicates whether others have deleted an object that was read.
    var isOfDeletedObject: Bool {
        guard let error = self as? FetchError else { return false }
        return error.code == .objectNotFound || error.code == .objectIsDeleted
    }
}
