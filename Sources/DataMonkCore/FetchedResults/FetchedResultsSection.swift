/// **Confined.** A section of fetched results: its name and its objects in order, as they were when it was asked for.
///
///     for section in controller.sections {
///         print(section.name, section.count)
///         for person in section { print(person.name) }
///     }
public struct FetchedResultsSection<Object: ManagedObject> {
    private let section: ResultSection

    init(_ section: ResultSection) { self.section = section }

    /// The value of the section's key as text: "" for nil, "1" and "0" for truth values.
    public var name: String { section.name }

    /// The section's objects in order.
    ///
    /// - Complexity: makes an array of them; the section itself is a collection that makes none.
    public var objects: [Object] { Array(self) }
}

extension FetchedResultsSection: RandomAccessCollection {
    /// The first place, 0.
    public var startIndex: Int { 0 }

    /// How many objects there are.
    public var endIndex: Int { section.entries.count }

    /// The object at a place.
    public subscript(place: Int) -> Object { section.entries[place].object.as(Object.self) }
}

extension ManagedObject {
    /// The object as one of the class that a controller has checked its entity for.
    func `as`<Object: ManagedObject>(_ type: Object.Type) -> Object {
        guard let object = self as? Object else {
            preconditionFailure("Objects of \(entity.name) are not of class \(type), though their entity's are.")
        }
        return object
    }
}

@available(*, unavailable)
extension FetchedResultsSection: Sendable {}
