public import DataMonk

/// **Confined.** Objects for tests of code that takes objects and needs no stack: functions, computed properties, validation.
///
/// ```swift
/// let objects = try TestObjects(Person.self)
/// let farmer = try objects.create(Person.self) { $0.name = "Farmer" }
/// let monk = try objects.create(Person.self) {
///     $0.name = "Monk"
///     $0.friend = farmer
/// }
/// #expect(greeting(monk) == "Monk, friend of Farmer")
/// ```
/// The objects belong to a context of their own over an empty store in memory, so they can be changed, related and fetched, on
/// the thread of the test and without `await`. Nothing is saved unless the test does so:
/// `try objects.managedObjectContext.save()` validates the objects, and computes derived attributes.
///
/// Keep the value as long as its objects are used. An object cannot be created without a context: its properties are checked
/// against the model, and its relationships know each other's sides.
public final class TestObjects {
    private let stack: Stack
    /// The context of the objects.
    public let managedObjectContext: ManagedObjectContext
    /// The calls of an update over the same objects: `fetchAll`, `fetchOrCreate`, `delete`; for code that takes an `Editor`
    /// or a `Reader`.
    public let editor: Editor

    /// Creates a context without objects.
    ///
    /// - Throws: `ModelError` with every problem of the model.
    public convenience init(_ first: ManagedObject.Type, _ others: ManagedObject.Type...) throws {
        try self.init(model: ManagedObjectModel(classes: [first] + others))
    }

    /// Creates a context without objects for a model.
    public init(model: ManagedObjectModel) throws {
        stack = try .inMemory(model: model)
        managedObjectContext = ManagedObjectContext(coordinator: stack.coordinator)
        managedObjectContext.retainsRegisteredObjects = true
        editor = Editor(graph: managedObjectContext)
    }

    /// Returns a new object with its default values, after a block has set some.
    ///
    /// - Throws: `ModelError` if the class has no entity in the model, or an abstract one; the error of the block.
    public func create<Object: ManagedObject>(
        _ type: Object.Type, _ set: (Object) throws -> Void = { _ in }
    ) throws -> Object {
        let object = try editor.create(type)
        try set(object)
        return object
    }
}

@available(*, unavailable)
extension TestObjects: Sendable {}
