import DataMonkCore

/// **Value.** Values that must be unique, and that two objects have.
struct TakenValues: Hashable {
    /// The attributes that are unique together.
    let names: [String]
    private let values: ImportKey?

    /// Creates the values of a conflict in a context that could not be saved.
    init(_ conflict: MergeConflict, in context: ManagedObjectContext) throws {
        names = conflict.constraint
        values = try context.registeredObject(for: conflict.objectID)?.uniqueValues(names)
    }
}
