import Foundation

extension ManagedObjectContext {
    /// Carries out policies over all objects of their entities, those of sub-entities included.
    ///
    ///     .custom(to: both, didMigrate: { context in try context.migrate(["Letter": Pages(), "Card": Cards()]) })
    ///
    /// All policies begin, then all create, relate, validate and end, in their order. Objects are read in batches of 500,
    /// or of those whose rows have 4 MB. After each batch, and once the unsaved rows have 4 MB, the context is saved and reset,
    /// so that memory stays flat: a policy keeps ids, not objects, from one call to the next. The id of a new object is
    /// temporary until it is saved: call ``obtainPermanentIDs(for:)`` before you keep it, or link the object to its source.
    /// Objects that are inserted after the first call are not passed, and deleted ones are not passed any more.
    ///
    /// This is for code of a stage. In any other context each batch is a commit of its own, which an error does not take
    /// back.
    ///
    /// - Parameter policies: The policies by the names of entities.
    /// - Throws: ``FetchError`` for an unknown entity; ``MigrationError`` with the code `invalidMapping` before anything is
    ///   read if two policies are for the same objects, and with the code `failedStage` for an error of a call with an
    ///   object, which names the object; ``StoreError`` if the store fails; errors of `save()`, `begin` and `end`.
    public func migrate(_ policies: KeyValuePairs<String, any EntityMigrationPolicy>) throws {
        try requireApart(policies.map { try entity(named: $0.key) })
        try save()
        let sources = try policies.map { name, policy in
            var request = FetchRequest(entityName: name)
            request.fetchBatchSize = Self.policyBatchSize
            return (policy: policy, objects: try fetchBatched(request).inOrderOfReading())
        }
        for (policy, _) in sources { try policy.begin(in: self) }
        for (policy, objects) in sources { try call(objects) { try policy.create(from: $0, in: self) } }
        for (policy, objects) in sources { try call(objects) { try policy.relate($0, in: self) } }
        for (policy, objects) in sources { try call(objects) { try policy.validate($0, in: self) } }
        for (policy, _) in sources { try policy.end(in: self) }
        try save()
    }

    private static var policyBatchSize: Int { 500 }

    private func requireApart(_ entities: [Entity]) throws {
        for (place, entity) in entities.enumerated() {
            for other in entities.dropFirst(place + 1) where entity.isKind(of: other) || other.isKind(of: entity) {
                throw MigrationError(
                    .invalidMapping,
                    """
                    The objects of \(entity.isKind(of: other) ? entity.name : other.name) have two policies, those of \
                    \(entity.name) and of \(other.name). Give each object one policy.
                    """)
            }
        }
    }

    private func call(_ objects: BatchedArray<ManagedObject>, _ body: (ManagedObject) throws -> Void) throws {
        var place = 0
        while place < objects.count {
            try Task.checkCancellation()
            place += try call(objects.part(from: place, byteLimit: StoreTransfer.partSize), body)
            try save()
            reset()
        }
    }

    /// Calls a policy with some objects, until the unsaved rows are large.
    ///
    /// - Returns: The number of objects.
    private func call(_ objects: [ManagedObject], _ body: (ManagedObject) throws -> Void) throws -> Int {
        var (size, changed) = (0, 0)
        for (place, object) in objects.enumerated() {
            do {
                guard let present = try present(object) else { continue }
                try body(present)
                if let failed = failedAccesses.first { throw failed.cause }
            } catch {
                throw MigrationError.failedPolicy(object, because: error)
            }
            size += unsavedSize(since: &changed)
            if size >= StoreTransfer.partSize { return place + 1 }
        }
        return objects.count
    }

    /// Returns the number of bytes in the rows of objects with unsaved changes, from the one with a number on.
    private func unsavedSize(since number: inout Int) -> Int {
        let changed = work.changed
        // A policy has saved them itself.
        if changed.count < number { number = 0 }
        defer { number = changed.count }
        return changed[number...].reduce(0) { $0 + ($1.draft?.size ?? 0) }
    }

    /// Reads an object that an earlier call may have deleted; `nil` if it has.
    private func present(_ object: ManagedObject) throws -> ManagedObject? {
        if object.isDeleted { return nil }
        do {
            // It has left the context if a call has saved its deletion, or reset the context.
            if object.registration < 0 { return try existingObject(with: object.anyObjectID) }
            try object.fault()
            return object
        } catch let error as FetchError where error.code == .objectNotFound {
            return nil
        }
    }
}

extension ManagedObject {
    /// Sets an attribute to the value of an attribute of another object, converted to its type.
    ///
    ///     try page.convert("number", from: letter, "page")
    ///
    /// - Parameters:
    ///   - key: The attribute of this object.
    ///   - source: The object with the value.
    ///   - sourceKey: Its attribute; `nil` if it has the same name.
    ///   - conversion: The conversion; unless it is given, values of the same type stay, and others are converted by
    ///     ``ValueConversion/standard``.
    /// - Throws: ``MigrationError`` with the code `failedStage`, naming the entity, the attribute and the id of the source,
    ///   for a value that cannot be converted; ``FetchError`` for an unknown attribute.
    public final func convert(
        _ key: String, from source: ManagedObject, _ sourceKey: String? = nil, by conversion: ValueConversion? = nil
    ) throws {
        let sourceKey = sourceKey ?? key
        let (attribute, past) = (try attribute(forKey: key), try source.attribute(forKey: sourceKey))
        let value = try source.value(forKey: sourceKey)
        let isCopied = conversion == nil && past.type == attribute.type
        guard let converted = isCopied ? value : try (conversion ?? .standard).value(value, as: attribute.type),
            converted.isNull ? attribute.isOptional : attribute.hasRoom(for: converted)
        else { throw MigrationError.unconvertible(sourceKey, of: source) }
        try setValue(converted, forKey: key)
    }

    private func attribute(forKey key: String) throws -> Entity.Attribute {
        if let attribute = try property(named: key).attribute { return attribute }
        throw FetchError(
            .typeMismatch,
            "\(entity.name).\(key) is a relationship. Convert attributes, and set relationships by setValue(_:forKey:).",
            entityName: entity.name, keyPath: key)
    }
}

extension MigrationError {
    fileprivate static func failedPolicy(_ object: ManagedObject, because error: any Error) -> any Error {
        if error is CancellationError || error is StoreError { return error }
        if let error = error as? MigrationError, error.isOfCode { return error }
        let problem = Problem(
            kind: .failedPolicy, entityName: object.entity.name,
            message: """
                Its policy failed for the object \(object.entity.name)/\(object.anyObjectID.uri.lastPathComponent). See the \
                underlying error.
                """)
        var failure = MigrationError(.failedStage, problems: [problem])
        failure.underlyingError = error
        return failure
    }

    /// A Boolean value indicating whether a policy has failed for an object that the error names.
    package var isOfCode: Bool { code == .failedStage && storeURL == nil && !problems.isEmpty }

    fileprivate static func unconvertible(_ key: String, of object: ManagedObject) -> MigrationError {
        let problem = Problem(
            kind: .unconvertibleValue, entityName: object.entity.name, propertyName: key, count: 1,
            message: """
                The value of the object \(object.entity.name)/\(object.anyObjectID.uri.lastPathComponent) cannot be \
                converted, or is missing where one is required. Let the policy give a value for such objects.
                """)
        return MigrationError(.failedStage, problems: [problem])
    }
}
