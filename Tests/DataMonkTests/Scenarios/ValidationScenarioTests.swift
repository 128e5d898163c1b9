#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to refuse, and in which words.
    @Suite struct `Scenarios of validation` {
        @Test(.scenario("scn/lifecycle/013"), arguments: StoreKind.allCases)
        func `one invalid property is its own error, several are a list`(kind: StoreKind) throws {
            let registry = try RegistryStack(kind)
            let context = registry.newContext()
            let object = try context.insert(Registry.Ruled.self)
            try context.save()
            object.age = 151
            let one = try #require(throws: SaveError.self) { try object.validateForUpdate() }
            #expect(one.code.rawValue == 1610 && one.validationProblems.map(\.key) == ["age"])
            object.word = "UPPER"
            object.code = "toolong"
            let several = try #require(throws: SaveError.self) { try object.validateForUpdate() }
            #expect(several.code.rawValue == 1560)
            #expect(Set(several.validationProblems.compactMap(\.key)) == ["age", "word", "code"])
            #expect(several.validationProblems.allSatisfy { $0.objectID == object.anyObjectID })
        }

        @Test(.scenario("scn/validation/002"), arguments: StoreKind.allCases)
        func `a validation predicate is 1550, with key, value and predicate, in the words of its warning`(
            kind: StoreKind
        ) throws {
            let registry = try RegistryStack(kind)
            let object = try registry.newContext().insert(Registry.Ruled.self)
            object.size = 3
            let error = try #require(throws: SaveError.self) { try object.validateForInsert() }
            let problem = try #require(error.validationProblems.first)
            #expect(error.code.rawValue == 1550 && problem.key == "size" && problem.value == 3)
            #expect(problem.condition == Registry.smallEven)
            #expect(error.message == "Sizes are 2, 4 and 6.")
        }

        @Test(.scenario("scn/validation/004"), arguments: StoreKind.allCases)
        func `what a validation of the class throws comes out as it is when it is alone`(kind: StoreKind) throws {
            let registry = try RegistryStack(kind)
            let context = registry.newContext()
            let object = try context.insert(Registry.Guarded.self)
            object.atValue = { _, key in if key == "name" { throw Registry.Refusal(text: key) } }
            #expect(throws: Registry.Refusal(text: "name")) { try object.validateForInsert() }
            #expect(throws: Registry.Refusal(text: "name")) { try context.save() }
            object.level = 11
            let error = try #require(throws: SaveError.self) { try object.validateForInsert() }
            #expect(error.code.rawValue == 1560 && error.validationProblems.count == 2)
        }
    }
#endif
