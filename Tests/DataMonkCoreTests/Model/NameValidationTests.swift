import DataMonkCore
import Testing

struct NameValidationTests {
    @Test func `two entities of one name are refused`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") {}
            EntityDescription("Person") {}
        }
        #expect(problems == [ModelProblem(.duplicateName, "Person")])
    }

    @Test func `entities that differ in case alone are refused`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") {}
            EntityDescription("PERSON") {}
        }
        #expect(problems == [ModelProblem(.caseCollision, "PERSON")])
    }

    @Test func `two properties of one name are refused`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                AttributeDescription("name", .string)
            }
        }
        #expect(problems == [ModelProblem(.duplicateName, "Person", "name")])
    }

    @Test func `properties that differ in case alone are refused`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") {
                AttributeDescription("url", .string)
                AttributeDescription("URL", .string)
            }
        }
        #expect(problems == [ModelProblem(.caseCollision, "Person", "URL")])
    }

    @Test func `a property that differs from an inherited one in case alone is refused`() {
        let problems = ModelProblem.found {
            EntityDescription("Person") { AttributeDescription("url", .string) }
            EntityDescription("Monk", superentityName: "Person") { AttributeDescription("URL", .string) }
        }
        #expect(problems == [ModelProblem(.caseCollision, "Monk", "URL")])
    }

    @Test(arguments: ["", "2nd", "first name", "a-b", "drop\";--", String(repeating: "x", count: 256)])
    func `a name that is no identifier is refused`(name: String) {
        let entity = ModelProblem.found { EntityDescription(name) {} }
        #expect(entity == [ModelProblem(.illegalName, name)])
        let property = ModelProblem.found { EntityDescription("Person") { AttributeDescription(name, .string) } }
        #expect(property == [ModelProblem(.illegalName, "Person", name)])
    }

    @Test(arguments: ["größe", "_private", "名前", "name2"])
    func `a name of letters of any script is taken`(name: String) {
        #expect(ModelProblem.found { EntityDescription("Person") { AttributeDescription(name, .string) } }.isEmpty)
    }

    @Test(arguments: ["objectID", "isDeleted", "managedObjectContext", "self", "description"])
    func `a name of the object itself is refused`(name: String) {
        let problems = ModelProblem.found { EntityDescription("Person") { AttributeDescription(name, .string) } }
        #expect(problems == [ModelProblem(.reservedName, "Person", name)])
    }

    @Test func `two indexes of one name are refused`() {
        let problems = ModelProblem.found {
            EntityDescription(
                "Person",
                indexes: [FetchIndexDescription("byName", on: ["name"]), FetchIndexDescription("BYNAME", on: ["name"])]
            ) { AttributeDescription("name", .string) }
        }
        #expect(problems == [ModelProblem(.duplicateName, "Person", "BYNAME")])
    }

    @Test func `more entities than keys have room for are refused`() {
        let problems = ModelProblem.found { (0...4096).map { EntityDescription("E\($0)", properties: []) } }
        #expect(problems == [ModelProblem(.tooMany)])
    }

    @Test func `more properties than a table has room for are refused`() {
        let problems = ModelProblem.found {
            EntityDescription(
                "Wide", properties: (0...1000).map { .attribute(AttributeDescription("a\($0)", .string)) })
        }
        #expect(problems == [ModelProblem(.tooMany, "Wide")])
    }
}
