extension ResolvedPath {
    /// Returns the value at a path to a single value, or `.null` if a to-one on the way is `nil`.
    func value(of reader: any PropertyReader) -> ManagedValue {
        // The most common case first: an attribute, without steps.
        if steps.isEmpty, case .attribute(let attribute) = terminal {
            return attribute.part(of: reader.value(at: attribute.slot))
        }
        switch terminal {
        case .count:
            return .int(Int64(objects(of: reader).count))
        case .aggregate(let function, let path):
            var accumulator = AggregateAccumulator(function)
            for object in objects(of: reader) { accumulator.add(path.value(of: object)) }
            return accumulator.operatorValue.storageForm
        case .attribute, .member, .entityName:
            return endValue(of: end(of: reader))
        case .object:
            return .null
        }
    }

    /// The value of a path whose start does not exist: an aggregate is that of no objects, everything else is `nil`.
    var valueOfNothing: ManagedValue {
        switch terminal {
        case .count: .int(0)
        case .aggregate(let function, _): AggregateAccumulator(function).operatorValue.storageForm
        case .attribute, .member, .entityName, .object: .null
        }
    }

    /// Returns the value that the path reads from the object at its end.
    private func endValue(of object: (any PropertyReader)?) -> ManagedValue {
        switch terminal {
        case .attribute(let attribute): object.map { attribute.part(of: $0.value(at: attribute.slot)) } ?? .null
        case .member(let member): object.map { member.value(in: $0.value(at: member.attribute.slot)) } ?? .null
        case .entityName: object.map { .string($0.entity.name) } ?? .null
        case .object, .count, .aggregate: .null
        }
    }

    /// Calls `body` with every value of a path to a collection, until it returns `false`. A branch on which a to-one is
    /// `nil` yields `.null`, or no elements of a value in JSON.
    func forEachValue(
        of reader: any PropertyReader, _ body: (ManagedValue) throws(FetchError) -> Bool
    ) throws(FetchError) {
        guard let member, member.form == .elements else {
            for object in ends(of: reader) where try !body(endValue(of: object)) { return }
            return
        }
        for object in objects(of: reader) {
            for element in member.elements(in: object.value(at: member.attribute.slot)) where try !body(element) {
                return
            }
        }
    }

    /// Returns the key of the object at the end of a path to a single object.
    func key(of reader: any PropertyReader) -> ObjectKey? {
        guard let last = steps.last else { return reader.objectKey }
        var current = reader
        for step in steps.dropLast() {
            guard let next = current.toOne(step.slot) else { return nil }
            current = next
        }
        return current.toOneKey(last.slot)
    }

    /// Returns the keys of the objects at the end of a path to a collection, with `nil` for each branch on which a to-one
    /// is `nil`.
    func keys(of reader: any PropertyReader) -> [ObjectKey?] {
        ends(of: reader).map { $0?.objectKey }
    }

    private func end(of reader: any PropertyReader) -> (any PropertyReader)? {
        var current = reader
        for step in steps {
            guard let next = current.toOne(step.slot) else { return nil }
            current = next
        }
        return current
    }

    /// Returns every object that the steps lead to, once for each way that leads to it, and `nil` where a to-one is `nil`.
    func ends(of reader: any PropertyReader) -> [(any PropertyReader)?] {
        var level: [(any PropertyReader)?] = [reader]
        for step in steps {
            if step.isToMany {
                level = level.flatMap { $0?.toMany(step.slot) ?? [] }
            } else {
                level = level.map { $0?.toOne(step.slot) }
            }
        }
        return level
    }

    /// Returns every object that the steps lead to.
    func objects(of reader: any PropertyReader) -> [any PropertyReader] {
        ends(of: reader).compactMap(\.self)
    }
}
