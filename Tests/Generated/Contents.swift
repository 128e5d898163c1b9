import DataMonk
import Foundation

/// **Value.** What a property of an object holds, in a form that can be compared between stacks.
enum Contents: Hashable {
    case value(ManagedValue)
    /// The object of a to-one, or those of an ordered to-many.
    case objects([URL])
    /// The objects of a to-many without an order.
    case members(Set<URL>)

    var isEmpty: Bool { self == .value(.null) || self == .objects([]) || self == .members([]) }
}

/// The contents of objects, by their URIs and the names of their properties.
typealias Graph = [URL: [String: Contents]]

extension ManagedObject {
    /// Returns what a property holds, by its name alone.
    func contents(named name: String) throws -> Contents {
        guard let relationship = entity.relationship(named: name) else { return .value(try value(forKey: name)) }
        if relationship.isToMany {
            let objects = try objects(forKey: name).map(\.objectID.uri)
            return relationship.isOrdered ? .objects(objects) : .members(Set(objects))
        }
        guard case .object(let id) = try value(forKey: name) else { return .objects([]) }
        return .objects([id.uri])
    }
}

extension ManagedObjectContext {
    /// Returns the objects of an entity without its sub-entities, in the order of their URIs.
    func objects(of entity: Entity) throws -> [ManagedObject] {
        var request = FetchRequest(entityName: entity.name)
        request.includesSubentities = false
        return try fetch(request).sorted { $0.objectID.uri.absoluteString < $1.objectID.uri.absoluteString }
    }

    /// Returns everything that the stores hold, by name or through the generated classes.
    func graph(through classes: [String: any GeneratedClass]? = nil) throws -> Graph {
        var graph: Graph = [:]
        for entity in coordinator.model.entities where !entity.isAbstract {
            for object in try objects(of: entity) {
                let names = entity.properties.map(\.name)
                graph[object.objectID.uri] =
                    try classes?.class(of: entity).contents(of: object)
                    ?? Dictionary(uniqueKeysWithValues: names.map { ($0, try object.contents(named: $0)) })
            }
        }
        return graph
    }
}

extension [String: any GeneratedClass] {
    func `class`(of entity: Entity) throws -> any GeneratedClass {
        guard let found = self[entity.name] else { throw Failure("There is no class of \(entity.name).") }
        return found
    }
}

/// **Value.** What does not hold of the generated classes.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Throws the first difference between two graphs.
    static func unlessEqual(_ found: Graph, _ expected: Graph, without unstored: Set<String> = [], _ subject: String)
        throws
    {
        guard Set(found.keys) == Set(expected.keys) else {
            throw Failure("\(subject): there are \(found.count) objects instead of \(expected.count), or others.")
        }
        for (uri, properties) in expected {
            for (name, contents) in properties where !unstored.contains("\(uri.entityName).\(name)") {
                let other = found[uri]?[name]
                if other != contents {
                    throw Failure(
                        "\(subject): \(name) of \(uri) is \(other.map { "\($0)" } ?? "missing") instead of \(contents)."
                    )
                }
            }
        }
    }
}

extension URL {
    /// The entity of an object's URI.
    var entityName: String { deletingLastPathComponent().lastPathComponent }
}
