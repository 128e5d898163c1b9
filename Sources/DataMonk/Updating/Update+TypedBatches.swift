public import DataMonkCore

// Batch requests written with key paths.
extension Update {
    /// Sets properties, written with key paths, of all objects that meet a condition, with a single statement.
    ///
    ///     try update.batchUpdate(Person.self, %"location" == "Taipei", set: [.set(\.age) { $0.age + 1 }])
    ///
    /// - Returns: The number of objects updated.
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `invalidRequest` if a property is set twice, `unknownKey` for a
    ///   computed property; also as
    ///   ``batchUpdate(_:_:set:)-(_,_,[String:ConditionExpression])``.
    @discardableResult
    public func batchUpdate<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, set assignments: [TypedAssignment<Object>]
    ) throws -> Int {
        var properties: [String: ConditionExpression] = [:]
        for assignment in assignments {
            let name = assignment.name
            if KeyNames.isUnnamed(name) { throw FetchError.unnamed(name, of: try graph.entity(for: type)) }
            let former = properties.updateValue(assignment.value, forKey: name)
            if former != nil { throw FetchError.setTwice(name, of: try graph.entity(for: type)) }
        }
        return try batchUpdate(type, query, set: properties)
    }

    /// Sets properties of all objects that meet a condition, both written with key paths, with a single statement.
    ///
    ///     try update.batchUpdate(Person.self, set: [.set(\.location, to: nil), .set(\.age) { $0.age + 1 }]) {
    ///         $0.friend.location == "Taipei"
    ///     }
    ///     // UPDATE ZPERSON AS t0 SET Z_OPT = Z_OPT + 1, ZAGE = …, ZLOCATION = ?
    ///     // WHERE Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 LEFT JOIN … WHERE t1.ZLOCATION = ?)
    ///
    /// - Returns: The number of objects updated.
    /// - Throws: The same errors as ``batchUpdate(_:_:set:)-(_,_,[TypedAssignment<Object>])``; any error of the closure.
    @discardableResult
    public func batchUpdate<Object: ManagedObject>(
        _ type: Object.Type, set assignments: [TypedAssignment<Object>],
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Int {
        try batchUpdate(type, condition(TypedObject()), set: assignments)
    }

    /// Deletes all objects that meet a condition, written with key paths, without reading them, applying delete rules.
    ///
    ///     try update.batchDelete(Person.self) { $0.age > 100 }
    ///
    /// - Returns: The number of objects deleted, including those deleted by cascades.
    /// - Throws: The same errors as ``batchDelete(_:_:)``; any error of the closure.
    @discardableResult
    public func batchDelete<Object: ManagedObject>(
        _ type: Object.Type, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Int {
        try batchDelete(type, condition(TypedObject()))
    }
}

extension FetchError {
    fileprivate static func setTwice(_ name: String, of entity: Entity) -> FetchError {
        FetchError(
            .invalidRequest, "The batch update sets \(entity.name).\(name) twice. Remove one of the two assignments.",
            entityName: entity.name, keyPath: name)
    }

    fileprivate static func unnamed(_ keyPath: String, of entity: Entity) -> FetchError {
        FetchError(
            .unknownKey, "\(entity.name) has no property \"\(keyPath)\". \(KeyNames.remedy)", entityName: entity.name,
            keyPath: keyPath)
    }
}
