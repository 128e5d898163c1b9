import DataMonkCore
import Testing

/// Uniqueness, indexes, configurations, fetch requests, and how problems are told.
struct KeyValidationTests {
    private func person(unique: [[String]] = [], indexes: [FetchIndexDescription] = []) -> EntityDescription {
        EntityDescription("Person", uniquenessConstraints: unique, indexes: indexes) {
            AttributeDescription("name", .string)
            AttributeDescription("mood", .string, isTransient: true)
            RelationshipDescription("friends", to: "Person", isToMany: true)
            RelationshipDescription("home", to: "Person")
            FetchedPropertyDescription("peers", fetchRequest: FetchRequestTemplate("peers", entityName: "Person"))
            AttributeDescription("address", .composite, elements: [AttributeDescription("street", .string)])
            AttributeDescription("photo", .binary, allowsExternalBinaryDataStorage: true)
        }
    }

    @Test(arguments: [["nam"], ["mood"], ["friends"], ["peers"], ["address"], ["name", "name"], ["name", "photo"]])
    func `uniqueness is over stored single values`(constraint: [String]) {
        let problems = ModelProblem.found { person(unique: [constraint]) }
        #expect(problems == [ModelProblem(.invalidUniqueness, "Person", constraint.joined(separator: ","))])
    }

    @Test func `data in external files is unique only in models of Core Data's own, and the remedy is said`() throws {
        let error = #expect(throws: ModelError.self) { try ManagedObjectModel { person(unique: [["photo"]]) } }
        #expect(error?.message.contains("photo cannot be part of") == true)
        #expect(error?.message.contains("Remove the option externalStorage") == true)
        let contents = ModelContents(entities: [person(unique: [["photo"]])])
        let model = try ArchivedModel(contents: contents).model().model
        #expect(model.entities[0].description.uniquenessConstraints == [["photo"]])
    }

    @Test func `an empty constraint and one that is there twice are refused`() {
        #expect(ModelProblem.found { person(unique: [[]]) } == [ModelProblem(.invalidUniqueness, "Person")])
        #expect(
            ModelProblem.found { person(unique: [["name"], ["name"]]) } == [ModelProblem(.invalidUniqueness, "Person")])
    }

    @Test func `attributes and to-ones may be unique`() {
        #expect(ModelProblem.found { person(unique: [["name", "home"]]) }.isEmpty)
    }

    @Test func `an index over a to-many is accepted, as by Core Data`() {
        let index = FetchIndexDescription("index", on: [FetchIndexElementDescription(.property("friends"))])
        #expect(ModelProblem.found { person(indexes: [index]) }.isEmpty)
    }

    @Test(arguments: ["nam", "mood", "peers", "address"])
    func `an index is over stored single values`(key: String) {
        let index = FetchIndexDescription("index", on: [FetchIndexElementDescription(.property(key))])
        #expect(ModelProblem.found { person(indexes: [index]) } == [ModelProblem(.invalidIndex, "Person", "index")])
    }

    @Test func `an index has a name and elements`() {
        #expect(
            ModelProblem.found { person(indexes: [FetchIndexDescription("", on: [])]) } == [
                ModelProblem(.illegalName, "Person", ""), ModelProblem(.invalidIndex, "Person", ""),
            ])
    }

    @Test func `a configuration has known entities and a name of its own`() {
        let problems = ModelProblem.found(configurations: ["": [], "Local": ["Persn"]]) { person() }
        #expect(problems == [ModelProblem(.illegalName), ModelProblem(.unknownConfigurationMember, nil, "Local")])
        let reserved = ModelProblem.found(configurations: [ManagedObjectModel.defaultConfigurationName: []]) {
            person()
        }
        #expect(reserved.map(\.kind) == [.reservedName])
    }

    @Test func `a fetch request has a name of its own, a known entity and sensible limits`() {
        let problems = ModelProblem.found(
            fetchRequestTemplates: [
                FetchRequestTemplate("a", entityName: "Person"), FetchRequestTemplate("a", entityName: "Person"),
                FetchRequestTemplate("b", entityName: "Persn"), FetchRequestTemplate("", entityName: "Person"),
                FetchRequestTemplate("c", entityName: "Person", fetchLimit: -1),
            ]
        ) { person() }
        #expect(
            problems == [
                ModelProblem(.duplicateName, nil, "a"), ModelProblem(.unknownFetchEntity, nil, "b"),
                ModelProblem(.illegalName), ModelProblem(.invalidCount, nil, "c"),
            ])
    }

    @Test func `every problem is reported at once, by entity`() {
        let problems = ModelProblem.found {
            EntityDescription("Zoo") { AttributeDescription("a", .undefined) }
            EntityDescription("Ark") {
                AttributeDescription("b", .string, defaultValue: 1)
                RelationshipDescription("c", to: "Nowhere")
            }
        }
        #expect(
            problems == [
                ModelProblem(.invalidDefault, "Ark", "b"), ModelProblem(.unknownDestination, "Ark", "c"),
                ModelProblem(.invalidType, "Zoo", "a"),
            ])
    }

    @Test func `the message counts the problems and names each place`() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel { EntityDescription("Zoo") { AttributeDescription("a", .undefined) } }
        }
        #expect(error?.message.hasPrefix("The model has 1 problem:\n- Zoo.a: ") == true)
        #expect(error?.code == .invalidModel)
    }
}
