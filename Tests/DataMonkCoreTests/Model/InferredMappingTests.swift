import DataMonkCore
import Testing

/// What becomes what, from names and renaming identifiers alone.
@Suite struct InferredMappingTests {
    private func mapping(
        _ old: [AttributeDescription], _ new: [AttributeDescription]
    ) throws -> [String: String] {
        func model(_ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
            try ManagedObjectModel { EntityDescription("Person", properties: attributes.map { .attribute($0) }) }
        }
        let (old, new) = (try model(old), try model(new))
        let mapping = try InferredMapping(from: old, holding: old.entities, to: new, holding: new.entities)
        let person = new.entities[0]
        try mapping.checkInvariants()
        #expect(mapping.source(of: person) === old.entities[0] && mapping.destination(of: old.entities[0]) === person)
        var sources: [String: String] = [:]
        for property in person.properties { sources[property.name] = mapping.source(of: property, in: person)?.name }
        return sources
    }

    private func text(_ name: String, was identifier: String? = nil) -> AttributeDescription {
        AttributeDescription(name, .string, renamingIdentifier: identifier)
    }

    @Test func `a name finds itself, a new one finds nothing`() throws {
        #expect(try mapping([text("a"), text("b")], [text("a"), text("c")]) == ["a": "a"])
    }

    @Test func `an identifier finds the name that it spells`() throws {
        #expect(try mapping([text("a")], [text("b", was: "a")]) == ["b": "a"])
    }

    @Test func `an identifier finds its like before a name`() throws {
        #expect(try mapping([text("a"), text("b", was: "a")], [text("c", was: "a")]) == ["c": "b"])
    }

    @Test func `an identifier comes before an equal name`() throws {
        #expect(try mapping([text("a"), text("b")], [text("b", was: "a")]) == ["b": "a"])
    }

    @Test func `an identifier that finds nothing leaves it to the name`() throws {
        #expect(try mapping([text("b")], [text("b", was: "a")]) == ["b": "b"])
    }

    @Test func `a name is found again when its identifier was dropped`() throws {
        #expect(try mapping([text("b", was: "a")], [text("b")]) == ["b": "b"])
    }

    @Test func `a name that was renamed back finds itself by the old identifier`() throws {
        #expect(try mapping([text("b", was: "a")], [text("a")]) == ["a": "b"])
    }

    @Test func `a taken name is not given twice`() throws {
        #expect(try mapping([text("a")], [text("a"), text("b", was: "a")]) == ["b": "a"])
    }

    @Test func `what is kept in memory only has no past and no future in a store`() throws {
        let transient = AttributeDescription("a", .string, isTransient: true)
        #expect(try mapping([transient], [text("a")]).isEmpty)
    }
}
