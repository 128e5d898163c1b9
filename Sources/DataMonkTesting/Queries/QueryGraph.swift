package import DataMonkCore
import Foundation

/// **Confined.** Objects of ``QueryModel`` with values that a seed determines: nil, equal values, text of several
/// spellings, and links of every shape.
package final class QueryGraph {
    package let model: ManagedObjectModel
    package private(set) var objects: [QueryObject] = []
    package let directory: ObjectDirectory

    /// - Parameter people: How many people there are; departments and teams are a few.
    package init(people: Int, using generator: inout SeededGenerator) throws {
        model = try QueryModel.make()
        directory = ObjectDirectory(model: model)
        let departments = (1...3).map { make("Department", $0) }
        let teams = (1...4).map { make("Team", $0) }
        var persons: [QueryObject] = []
        for key in 0..<people {
            persons.append(make(Bool.random(using: &generator) ? "Person" : "Monk", key + 1))
        }
        for object in objects {
            for attribute in object.entity.attributes where !attribute.isTransient {
                object.values[attribute.slot] = QueryValues.random(attribute.type, using: &generator)
            }
        }
        departments[1].link("parent", to: departments[0])
        for person in persons {
            if Int.random(in: 0..<3, using: &generator) > 0, let friend = persons.randomElement(using: &generator) {
                person.link("friend", to: friend)
            }
            if Int.random(in: 0..<4, using: &generator) > 0 {
                person.link("department", to: departments[Int.random(in: 0..<2, using: &generator)])
            }
            for team in teams.dropLast() where Int.random(in: 0..<3, using: &generator) == 0 {
                person.link("teams", to: team)
            }
        }
    }

    private func make(_ name: String, _ primaryKey: Int) -> QueryObject {
        guard let entity = model.entitiesByName[name] else { preconditionFailure("No entity \(name)") }
        let object = QueryObject(entity, primaryKey: Int64(primaryKey))
        objects.append(object)
        return object
    }

    /// The objects of an entity and its sub-entities, in the order of their keys.
    package func objects(of entity: Entity) -> [QueryObject] {
        objects.filter { $0.entity.isKind(of: entity) }
            .sorted { $0.objectKey.primaryKey < $1.objectKey.primaryKey }
    }
}

@available(*, unavailable)
extension QueryGraph: Sendable {}

/// **Value.** Small sets of values, so that random ones are often equal.
package enum QueryValues {
    /// A value of an attribute's type, nil one time in five.
    package static func random(_ type: AttributeType, using generator: inout SeededGenerator) -> ManagedValue {
        if Int.random(in: 0..<5, using: &generator) == 0 { return .null }
        return all(type).randomElement(using: &generator) ?? .null
    }

    private static let texts = [
        "", "Monk", "monk", "Knight", "Knight of Taipei", "É", "é", "e\u{301}", "E", "straße", "STRASSE", "a_b%c",
        "a*b",
        "it's", "\u{FFFD}", "\u{1F600}", "\u{E000}x", "Σ", "ς", "line\nbreak", "Zoë", "zoe", "\"quoted\"; DROP",
    ]

    private static func all(_ type: AttributeType) -> [ManagedValue] {
        switch type {
        case .string: texts.map { .string($0) }
        case .integer16, .integer32, .integer64: [-1, 0, 1, 2, 18, 41].map { .int($0) }
        case .double: [-0.5, 0, 1, 1.5, 18, 1e300].map { .double($0) }
        case .float: [0, 1, 0.5, 0.1].map { .double(Double(Float($0))) }
        case .decimal:
            ["0", "0.1", "0.2", "0.3", "18", "-7.25"].compactMap { Decimal(string: $0).map { .decimal($0) } }
        case .boolean: [.bool(false), .bool(true)]
        case .date: [0, 1.5, 86_400].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .uuid: (0..<3).map { .uuid(UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9))) }
        case .uri: ["https://a.example/", "https://b.example/x"].compactMap { URL(string: $0).map { .url($0) } }
        case .binary: [Data(), Data([0]), Data([0, 1]), Data([255])].map { .data($0) }
        case .transformable, .undefined, .objectID, .composite: [.data(Data([1]))]
        }
    }
}
