import DataMonkCore

/// **Value.** Values that only one object may have.
struct UniqueValues: Hashable, Sendable {
    let constraint: UniquenessConstraint
    let key: ImportKey
}

/// **Confined.** The objects of a context by the values that must be unique, with the rows that have given them these.
struct UniqueValueIndex {
    /// **Value.** The values of one object, and the row that each comes from; `nil` for those that are stored.
    typealias Holdings = [UniqueValues: Int?]

    private var holders: [UniqueValues: [ManagedObject]] = [:]
    private var holdings: [ManagedObject: Holdings] = [:]

    /// Returns `true` if several objects have the same values.
    func isShared(_ values: UniqueValues) -> Bool { (holders[values]?.count ?? 0) > 1 }

    /// The values that rows have given objects.
    var given: Set<UniqueValues> {
        var given: Set<UniqueValues> = []
        for holdings in holdings.values { for (values, row) in holdings where row != nil { given.insert(values) } }
        return given
    }

    /// Returns the last row that has given one of several objects the same values.
    func lastRow(of values: UniqueValues) -> Int? {
        holders[values]?.compactMap { holdings[$0]?[values] ?? nil }.max()
    }

    /// Returns the known values of an object.
    func holdings(of object: ManagedObject) -> Holdings? { holdings[object] }

    /// Takes the present values of an object, which a row may have changed.
    ///
    /// - Returns: The values that it has or had.
    mutating func update(_ object: ManagedObject, after row: Int?) throws -> Set<UniqueValues> {
        let known = holdings[object]
        var present: Holdings = [:]
        for values in object.isDeleted ? [] : try object.uniqueValues() {
            if let origin = known?[values] {
                present[values] = .some(origin)
            } else if try known == nil && object.hasStored(values) {
                present[values] = .some(nil)
            } else {
                present[values] = .some(row)
            }
        }
        set(present, of: object)
        return Set(known.map { Array($0.keys) } ?? []).union(present.keys)
    }

    /// Adds the objects with values that rows have given others.
    ///
    /// - Returns: The values that several objects have.
    mutating func addHolders(in context: ManagedObjectContext) throws -> Set<UniqueValues> {
        var shared: Set<UniqueValues> = []
        for object in try Self.holders(of: given, in: context) {
            for values in try update(object, after: nil) where isShared(values) { shared.insert(values) }
        }
        return shared
    }

    /// Fetches the objects that have values.
    static func holders(of values: Set<UniqueValues>, in context: ManagedObjectContext) throws -> [ManagedObject] {
        try Dictionary(grouping: values, by: \.constraint).flatMap { constraint, values in
            try FetchRequest.requests(for: Set(values.map(\.key)), by: constraint.names, of: constraint.entity)
                .flatMap { try context.fetch($0) }
        }
    }

    /// Sets the values of an object; `nil` if they are no longer known.
    mutating func set(_ holdings: Holdings?, of object: ManagedObject) {
        for values in (self.holdings[object] ?? [:]).keys where holdings?[values] == nil {
            holders[values]?.removeAll { $0 === object }
        }
        for values in (holdings ?? [:]).keys where self.holdings[object]?[values] == nil {
            holders[values, default: []].append(object)
        }
        self.holdings[object] = holdings
    }
}

@available(*, unavailable)
extension UniqueValueIndex: Sendable {}

extension ManagedObject {
    /// The values of the object that must be unique. An object that lacks one of several conflicts with none.
    fileprivate func uniqueValues() throws -> [UniqueValues] {
        guard let context = managedObjectContext else { return [] }
        return try context.directory.layouts[entity.index].uniqueness.compactMap { constraint in
            ImportKey(try constraint.names.map { try value(forKey: $0) })
                .map { UniqueValues(constraint: constraint, key: $0) }
        }
    }

    fileprivate func hasStored(_ values: UniqueValues) throws -> Bool {
        if isInserted { return false }
        let names = values.constraint.names
        let stored = try committedValues(forKeys: names)
        return ImportKey(names.map { stored[$0] ?? .null }) == values.key
    }
}

extension ImportKey {
    /// Creates the key of several values; `nil` if one is null.
    fileprivate init?(_ values: [ManagedValue]) {
        let keys = values.compactMap { ImportKey($0) }
        if keys.count < values.count { return nil }
        self = .several(keys)
    }
}
