import DataMonk
import Foundation

/// **Confined.** The type of a relationship's property.
protocol Links {
    /// Creates a value of these objects; `nil` if it cannot hold them.
    init?(_ objects: [ManagedObject])

    var contents: Contents { get }
}

extension Optional: Links where Wrapped: ManagedObject {
    init?(_ objects: [ManagedObject]) {
        guard objects.count == 1, let object = objects[0] as? Wrapped else { return nil }
        self = object
    }

    var contents: Contents { .objects(map { [$0.objectID.uri] } ?? []) }
}

extension Set: Links where Element: ManagedObject {
    init?(_ objects: [ManagedObject]) {
        guard let objects = objects as? [Element] else { return nil }
        self.init(objects)
    }

    var contents: Contents { .members(Set<URL>(map(\.objectID.uri))) }
}

extension Array: Links where Element: ManagedObject {
    init?(_ objects: [ManagedObject]) {
        guard let objects = objects as? [Element] else { return nil }
        self = objects
    }

    var contents: Contents { .objects(map(\.objectID.uri)) }
}
