import DataMonkCore
import Testing

struct EntityTests {
    private func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(configurations: ["Local": ["Place", "Monk"]]) {
            EntityDescription("Monk", superentityName: "Person") {
                AttributeDescription("temple", .string)
                RelationshipDescription("pupils", to: "Person", isToMany: true)
            }
            EntityDescription("Person") {
                RelationshipDescription("home", to: "Place", inverse: "people")
                AttributeDescription("name", .string)
            }
            EntityDescription("Place") { RelationshipDescription("people", to: "Person", isToMany: true) }
            EntityDescription("Abbot", superentityName: "Monk") { AttributeDescription("age", .integer16) }
        }
    }

    @Test func `entities are sorted by name and know their position`() throws {
        let entities = try model().entities
        #expect(entities.map(\.name) == ["Abbot", "Monk", "Person", "Place"])
        #expect(entities.map(\.index) == [0, 1, 2, 3])
    }

    @Test func `inherited properties come first, at the same slots`() throws {
        let abbot = try #require(try model().entitiesByName["Abbot"])
        #expect(abbot.properties.map(\.name) == ["home", "name", "temple", "pupils", "age"])
        #expect(abbot.properties.map(\.slot) == [0, 1, 2, 3, 4])
        #expect(abbot.attributes.map(\.name) == ["name", "temple", "age"])
        #expect(abbot.relationships.map(\.name) == ["home", "pupils"])
    }

    @Test func `kinship goes upwards only`() throws {
        let model = try model()
        let (abbot, person) = try (#require(model.entitiesByName["Abbot"]), #require(model.entitiesByName["Person"]))
        let place = try #require(model.entitiesByName["Place"])
        #expect(abbot.isKind(of: person))
        #expect(abbot.isKind(of: abbot))
        #expect(!person.isKind(of: abbot))
        #expect(!abbot.isKind(of: place))
        #expect(abbot.root === person)
        #expect(person.family.map(\.name) == ["Person", "Monk", "Abbot"])
    }

    @Test func `relationships lead to entities and back`() throws {
        let model = try model()
        let home = try #require(model.entitiesByName["Abbot"]?.relationship(named: "home"))
        #expect(home.destination.name == "Place")
        #expect(home.entity.name == "Person")
        #expect(home.inverse?.destination.name == "Person")
        #expect(home.inverse?.isToMany == true)
    }

    @Test func `a configuration has its entities in the model's order`() throws {
        let model = try model()
        #expect(model.entities(inConfiguration: "Local")?.map(\.name) == ["Monk", "Place"])
        #expect(model.entities(inConfiguration: nil)?.count == 4)
        #expect(model.entities(inConfiguration: "Remote") == nil)
    }

    @Test func `a to-many has no bound unless it is given one`() {
        #expect(RelationshipDescription("a", to: "B", isToMany: true).maxCount == 0)
        #expect(RelationshipDescription("a", to: "B").maxCount == 1)
        #expect(RelationshipDescription("a", to: "B", maxCount: 5).isToMany)
    }
}
