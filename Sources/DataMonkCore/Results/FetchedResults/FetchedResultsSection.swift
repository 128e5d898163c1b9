/// **Confined.** A section of fetched results: its name and its objects in order, as of the time of access.
///
///     for section in controller.sections {
///         print(section.name, section.count)
///         for person in section { print(person.name) }
///     }
public struct FetchedResultsSection<Object: ManagedObject> {
    private let section: ResultSection

    init(_ section: ResultSection) { self.section = section }

    /// The value of the section's key as text: "" for `nil`, "1" and "0" for Boolean values.
    public var name: String { section.name }

    /// The section's objects in order.
    ///
    /// - Complexity: Creates an array of the objects. The section itself is a collection and does not.
    public var objects: [Object] { Array(self) }
}

extension FetchedResultsSection: RandomAccessCollection {
    /// The position of the first object, 0.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int { section.entries.count }

    /// The object at a position.
    public subscript(place: Int) -> Object { section.entries[place].object.as(Object.self) }
}

extension ManagedObject {
    /// Returns the object as an instance of the class that the controller has checked its entity for.
    func `as`<Object: ManagedObject>(_ type: Object.Type) -> Object {
        guard let object = self as? Object else {
            stopProgram(
                "Objects of \(entity.name) are not instances of \(type), although the entity's class is.")
        }
        return object
    }
}

@available(*, unavailable)
extension FetchedResultsSection: Sendable {}
