import DataMonkCore
import Testing

struct InheritanceValidationTests {
    private class PersonClass: ManagedObject {}
    private final class MonkClass: PersonClass {}
    private final class PlaceClass: ManagedObject {}

    @Test func `an unknown superentity is refused, with the nearest name`() {
        let message = ModelProblem.message {
            EntityDescription("Person") {}
            EntityDescription("Monk", superentityName: "Persn") {}
        }
        #expect(message.contains("Did you mean \"Person\"?"))
        let problems = ModelProblem.found { EntityDescription("Monk", superentityName: "Person") {} }
        #expect(problems == [ModelProblem(.unknownSuperentity, "Monk")])
    }

    @Test func `every entity of a circle is reported, and none below it`() {
        let problems = ModelProblem.found {
            EntityDescription("A", superentityName: "B") {}
            EntityDescription("B", superentityName: "A") {}
            EntityDescription("Below", superentityName: "A") {}
            EntityDescription("Own", superentityName: "Own") {}
        }
        #expect(problems == ["A", "B", "Own"].map { ModelProblem(.inheritanceCycle, $0) })
    }

    @Test func `a tree deeper than any sensible one is refused`() {
        let problems = ModelProblem.found {
            (0...101).map { level in
                EntityDescription("E\(level)", superentityName: level == 0 ? nil : "E\(level - 1)", properties: [])
            }
        }
        #expect(problems == [ModelProblem(.tooMany, "E101")])
    }

    @Test func `an inherited property may be declared again with another default`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription("age", .integer16)
            }
            EntityDescription("Monk", superentityName: "Person") {
                AttributeDescription("temple", .string)
                AttributeDescription("age", .integer16, defaultValue: 40)
            }
        }
        let monk = try #require(model.entitiesByName["Monk"])
        #expect(monk.properties.map(\.name) == ["name", "age", "temple"])
        #expect(monk.attribute(named: "age")?.defaultValue == 40)
    }

    @Test func `an inherited property may not change its kind or type`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") {
                AttributeDescription("age", .integer16)
                AttributeDescription("home", .string)
            }
            EntityDescription("Monk", superentityName: "Person") {
                AttributeDescription("age", .integer64)
                RelationshipDescription("home", to: "Person")
            }
        }
        #expect(
            problems == [
                ModelProblem(.incompatibleOverride, "Monk", "age"), ModelProblem(.incompatibleOverride, "Monk", "home"),
            ])
    }

    @Test func `a class stands for one entity`() {
        let problems = ModelProblem.found {
            EntityDescription("Person", managedObjectClass: PersonClass.self) {}
            EntityDescription("Place", managedObjectClass: PersonClass.self) {}
        }
        #expect(problems == [ModelProblem(.duplicateClass, "Place")])
    }

    @Test func `classes inherit as their entities do`() {
        let problems = ModelProblem.found {
            EntityDescription("Person", managedObjectClass: PersonClass.self) {}
            EntityDescription("Monk", managedObjectClass: MonkClass.self) {}
            EntityDescription("Place", managedObjectClass: PlaceClass.self, superentityName: "Person") {}
        }
        #expect(problems == [ModelProblem(.classMismatch, "Monk"), ModelProblem(.classMismatch, "Place")])
    }

    @Test func `a class leads to its entity`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Person", managedObjectClass: PersonClass.self) {}
            EntityDescription("Monk", managedObjectClass: MonkClass.self, superentityName: "Person") {}
        }
        #expect(model.entity(for: MonkClass.self)?.name == "Monk")
        #expect(model.entity(for: PlaceClass.self) == nil)
    }
}
