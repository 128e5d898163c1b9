import DataMonkCore
import Testing

struct RelationshipValidationTests {
    @Test func `the inverse is named on one side and found for the other`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Person") {
                RelationshipDescription("friend", to: "Person", inverse: "friends")
                RelationshipDescription("friends", to: "Person", isToMany: true)
            }
        }
        let person = try #require(model.entitiesByName["Person"])
        let friend = try #require(person.relationship(named: "friend"))
        let friends = try #require(person.relationship(named: "friends"))
        #expect(friend.inverse === friends)
        #expect(friends.inverse === friend)
        #expect(friends.description.inverseName == "friend")
    }

    @Test func `both sides may name each other`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") { RelationshipDescription("home", to: "Place", inverse: "people") }
            EntityDescription("Place") {
                RelationshipDescription("people", to: "Person", inverse: "home", isToMany: true)
            }
        }
        #expect(problems.isEmpty)
    }

    @Test func `a relationship may be its own inverse, or have none`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Person") {
                RelationshipDescription("spouse", to: "Person", inverse: "spouse")
                RelationshipDescription("idol", to: "Person")
            }
        }
        let person = try #require(model.entitiesByName["Person"])
        #expect(person.relationship(named: "spouse")?.inverse === person.relationship(named: "spouse"))
        #expect(person.relationship(named: "idol")?.inverse == nil)
    }

    @Test func `an unknown destination is refused, with the nearest name`() {
        let message = ModelProblem.message {
            EntityDescription("Person") { RelationshipDescription("friend", to: "Persom") }
        }
        #expect(message.contains("Did you mean \"Person\"?"))
        let problems = ModelProblem.found { EntityDescription("Person") { RelationshipDescription("friend", to: "") } }
        #expect(problems == [ModelProblem(.unknownDestination, "Person", "friend")])
    }

    @Test func `an unknown inverse is refused, with the nearest name`() {
        let message = ModelProblem.message {
            EntityDescription("Person") {
                RelationshipDescription("friend", to: "Person", inverse: "freinds")
                RelationshipDescription("friends", to: "Person", isToMany: true)
            }
        }
        #expect(message.contains("Did you mean \"friends\"?"))
        let problems = ModelProblem.found {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                RelationshipDescription("friend", to: "Person", inverse: "name")
            }
        }
        #expect(problems == [ModelProblem(.unknownInverse, "Person", "friend")])
    }

    @Test func `an inverse of one's own side is refused`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") {
                RelationshipDescription("home", to: "Place", inverse: "work")
                RelationshipDescription("work", to: "Place")
            }
            EntityDescription("Place") {}
        }
        #expect(problems == [ModelProblem(.inverseOnWrongSide, "Person", "home")])
    }

    @Test func `an inverse that leads elsewhere is refused`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") { RelationshipDescription("home", to: "Place", inverse: "country") }
            EntityDescription("Place") { RelationshipDescription("country", to: "Country") }
            EntityDescription("Country") {}
        }
        #expect(problems == [ModelProblem(.inverseMismatch, "Person", "home")])
    }

    @Test func `sides that name others are refused`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") {
                RelationshipDescription("home", to: "Place", inverse: "people")
                RelationshipDescription("work", to: "Place", inverse: "people")
            }
            EntityDescription("Place") {
                RelationshipDescription("people", to: "Person", inverse: "work", isToMany: true)
            }
        }
        #expect(problems == [ModelProblem(.inverseMismatch, "Person", "home")])
    }

    @Test func `two relationships cannot share an inverse`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") {
                RelationshipDescription("home", to: "Place", inverse: "people")
                RelationshipDescription("work", to: "Place", inverse: "people")
            }
            EntityDescription("Place") { RelationshipDescription("people", to: "Person", isToMany: true) }
        }
        #expect(problems == [ModelProblem(.inverseMismatch, "Person", "work")])
    }

    @Test func `a relationship that is declared again keeps its inverse`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") { RelationshipDescription("home", to: "Place", inverse: "people") }
            EntityDescription("Monk", superentityName: "Person") {
                RelationshipDescription("home", to: "Place", inverse: "guests")
            }
            EntityDescription("Place") {
                RelationshipDescription("people", to: "Person", isToMany: true)
                RelationshipDescription("guests", to: "Person", isToMany: true)
            }
        }
        #expect(problems == [ModelProblem(.inverseMismatch, "Monk", "home")])
    }

    @Test func `counts are sensible`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") {
                RelationshipDescription("a", to: "Person", isToMany: true, minCount: 3, maxCount: 2)
                RelationshipDescription("b", to: "Person", isToMany: true, minCount: -1)
            }
        }
        #expect(problems == [ModelProblem(.invalidCount, "Person", "a"), ModelProblem(.invalidCount, "Person", "b")])
    }

    @Test func `the order of a to-one is ignored, but for the version hash`() throws {
        func model(isOrdered: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Person") { RelationshipDescription("a", to: "Person", isOrdered: isOrdered) }
            }
        }
        let (ordered, plain) = (try model(isOrdered: true), try model(isOrdered: false))
        #expect(ordered.entities[0].relationship(named: "a")?.isOrdered == false)
        #expect(ordered.versionChecksum != plain.versionChecksum)
    }

    @Test func `a maximum count of -1 is no bound`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Person") { RelationshipDescription("a", to: "Person", isToMany: true, maxCount: -1) }
        }
        #expect(model.entities[0].relationship(named: "a")?.isToMany == true)
    }

    @Test(arguments: [DeleteRule.deny, .cascade])
    func `a transient relationship decides on no deletion`(rule: DeleteRule) {
        let problems = ModelProblem.found {
            EntityDescription("Person") {
                RelationshipDescription("a", to: "Person", isTransient: true, deleteRule: rule)
            }
        }
        #expect(problems == [ModelProblem(.invalidDeleteRule, "Person", "a")])
    }
}
