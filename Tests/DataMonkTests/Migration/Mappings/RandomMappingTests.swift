import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Random models go through three versions with random mappings, in one transaction and step by step. The values are those
/// that the same changes make of dictionaries.
@Suite(.serialized) struct `Random mappings` {
    /// The number of chains; DATAMONK_MIGRATIONS asks for more.
    private static let runs = ProcessInfo.processInfo.environment["DATAMONK_MIGRATIONS"].flatMap { UInt64($0) } ?? 20

    @Test func `mappings compute what a program over dictionaries does`() throws {
        for seed in 1...Self.runs {
            var sketch = MappingSketch(seed: seed)
            let stage = try MigrationStage()
            let first = try sketch.model()
            try stage.write(first) { context in
                for row in sketch.rows { try context.insert(row.entity, row.values) }
            }
            let bytes = try stage.bytes
            var steps: [(model: ManagedObjectModel, mapping: [EntityMapping])] = []
            for _ in 1...2 {
                let mapping = sketch.edit()
                steps.append((try sketch.model(), mapping))
            }
            let stages = StagedMigration(from: first, steps.map { .custom(to: $0.model, mapping: $0.mapping) })
            let model = try sketch.model()
            let place = Comment(rawValue: "seed \(seed): \(sketch.log)")
            try stage.open(model, stages: stages, discarding: .everything)
            let found = try stage.contents(model)
            #expect(found.objects == sketch.expected, place)
            try stage.restore(bytes)
            for step in steps { try stage.open(step.model, mapping: step.mapping, discarding: .everything) }
            #expect(try stage.contents(model) == found, place)
            if found.objects != sketch.expected { return }
        }
    }
}

/// Entities with attributes, their rows as dictionaries, and random changes of both.
private struct MappingSketch {
    struct Row {
        var entity: String
        let key: Int
        var values: [String: ManagedValue]
    }

    private var random: SeededGenerator
    private var entities: [(name: String, attributes: [(name: String, type: AttributeType)])] = []
    private(set) var rows: [Row] = []
    private(set) var log: [String] = []
    private var names = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<3 {
            let attributes = (0..<3).map { _ in (name("a"), types.randomElement(using: &random) ?? .string) }
            entities.append((name("Entity"), attributes))
        }
        for entity in entities {
            for key in 1...Int.random(in: 1...4, using: &random) {
                var values: [String: ManagedValue] = [:]
                for attribute in entity.attributes { values[attribute.name] = value(of: attribute.type) }
                rows.append(Row(entity: entity.name, key: key, values: values))
            }
        }
    }

    private let types: [AttributeType] = [.integer64, .string, .double]

    private mutating func name(_ prefix: String) -> String {
        names += 1
        return "\(prefix)\(names)"
    }

    private mutating func value(of type: AttributeType) -> ManagedValue {
        let number = Int64.random(in: 0...99, using: &random)
        if number < 20 { return .null }
        return type == .string ? .string("\(number)") : type == .double ? .double(Double(number)) : .int(number)
    }

    func model() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            entities.map { entity in
                EntityDescription(entity.name) {
                    entity.attributes.map { .attribute(AttributeDescription($0.name, $0.type)) }
                }
            }
        }
    }

    var expected: [String: [String: String]] {
        Dictionary(uniqueKeysWithValues: rows.map { ("\($0.entity)/\($0.key)", $0.values.mapValues { "\($0)" }) })
    }

    /// Changes each entity, and returns the mapping.
    mutating func edit() -> [EntityMapping] {
        entities.indices.map { place in
            let old = entities[place].name
            let new = Bool.random(using: &random) ? name("Entity") : old
            entities[place].name = new
            for row in rows.indices where rows[row].entity == old { rows[row].entity = new }
            var mappings: [PropertyMapping] = []
            let before = entities[place].attributes
            let past = Dictionary(
                rows.filter { $0.entity == new }.map { ($0.key, $0.values) }, uniquingKeysWith: { first, _ in first })
            var after: [(name: String, type: AttributeType)] = []
            for attribute in before { after.append(change(attribute, in: new, &mappings)) }
            after.append(add(to: new, reading: before.map(\.name), past, &mappings))
            if Bool.random(using: &random) {
                let lost = after.removeFirst().name
                mappings.removeAll { $0.name == lost }
                for row in rows.indices where rows[row].entity == new { rows[row].values[lost] = nil }
                log.append("\(new).\(lost) goes")
            }
            entities[place].attributes = after
            return .transform(new, from: old, mappings)
        }
    }

    private mutating func change(
        _ attribute: (name: String, type: AttributeType), in entity: String, _ mappings: inout [PropertyMapping]
    ) -> (name: String, type: AttributeType) {
        var new = attribute
        let choice = Int.random(in: 0...3, using: &random)
        if choice == 0 { return new }
        if choice != 2 { new.name = name("a") }
        if choice != 1 { new.type = attribute.type == .string ? .integer64 : .string }
        log.append("\(entity).\(attribute.name) becomes \(new.name), \(new.type)")
        mappings.append(
            choice == 1 ? .renamed(new.name, from: attribute.name) : .converted(new.name, from: attribute.name))
        if attribute.type == .double, choice != 1 { mappings[mappings.count - 1] = .constant(new.name, "77") }
        for row in rows.indices where rows[row].entity == entity {
            let value = rows[row].values.removeValue(forKey: attribute.name) ?? .null
            let changed: ManagedValue
            switch value {
            case _ where choice == 1: changed = value
            case _ where attribute.type == .double: changed = "77"
            case .int(let number): changed = .string("\(number)")
            case .string(let text): changed = Int64(text).map { .int($0) } ?? .null
            default: changed = .null
            }
            rows[row].values[new.name] = changed
        }
        return new
    }

    /// Adds an attribute with the number of values that an object had.
    private mutating func add(
        to entity: String, reading sources: [String], _ past: [Int: [String: ManagedValue]],
        _ mappings: inout [PropertyMapping]
    ) -> (name: String, type: AttributeType) {
        let added = name("a")
        mappings.append(
            .computed(added, from: sources) { row in
                .int(Int64(try sources.filter { try !row.value(forKey: $0).isNull }.count))
            })
        for row in rows.indices where rows[row].entity == entity {
            let values = past[rows[row].key] ?? [:]
            rows[row].values[added] = .int(Int64(sources.count { values[$0]?.isNull == false }))
        }
        return (added, .integer64)
    }
}
