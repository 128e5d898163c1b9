#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// What the model asks of values.
    @Suite struct `Validation by the model` {
        private let registry: RegistryStack
        private let context: ManagedObjectContext
        private let object: Registry.Ruled

        init() throws {
            registry = try RegistryStack()
            context = registry.newContext()
            object = try context.insert(Registry.Ruled.self)
        }

        private func expectProblem(_ code: SaveError.Code, _ key: String) throws {
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == code && error.objectID == object.anyObjectID)
            let problem = try #require(error.validationProblems.first)
            #expect(error.validationProblems.count == 1 && problem.key == key && problem.code == code)
            #expect(problem.objectID == object.anyObjectID)
        }

        /// A legal object is saved; with the change its save fails, and after the repair succeeds.
        private func expect(
            _ code: Int, _ key: String, when change: (Registry.Ruled) -> Void, but repair: (Registry.Ruled) -> Void
        ) throws {
            for _ in ["insert", "update"] {
                change(object)
                try expectProblem(SaveError.Code(rawValue: code), key)
                repair(object)
                try context.save()
            }
        }

        @Test func `a number below its minimum is 1620, above its maximum 1610`() throws {
            try expect(1620, "age", when: { $0.age = -1 }, but: { $0.age = 0 })
            try expect(1610, "age", when: { $0.age = 151 }, but: { $0.age = 150 })
            try expect(1610, "share", when: { $0.share = 0.91 }, but: { $0.share = 0.9 })
            try expect(1620, "share", when: { $0.share = 0.09 }, but: { $0.share = 0.1 })
            try expect(1620, "price", when: { $0.price = 0.99 }, but: { $0.price = 1 })
            try expect(1610, "price", when: { $0.price = 10.01 }, but: { $0.price = 10 })
        }

        @Test func `a date after its maximum is 1630, before its minimum 1640`() throws {
            try expect(1630, "day", when: { $0.day = Registry.dayOne + 101 }, but: { $0.day = Registry.dayOne + 100 })
            try expect(1640, "day", when: { $0.day = Registry.dayOne - 1 }, but: { $0.day = Registry.dayOne })
        }

        @Test func `a text too long is 1660, too short 1670, counted in UTF-16`() throws {
            try expect(1660, "code", when: { $0.code = "12345" }, but: { $0.code = "1234" })
            try expect(1670, "code", when: { $0.code = "1" }, but: { $0.code = "🧘" })
        }

        @Test func `a text that does not match as a whole is 1680`() throws {
            try expect(1680, "word", when: { $0.word = "abc1" }, but: { $0.word = "abc" })
        }

        @Test func `a validation predicate that is not met is 1550, with its warning`() throws {
            try expect(1550, "size", when: { $0.size = 3 }, but: { $0.size = 4 })
            object.size = 5
            let error = try #require(throws: SaveError.self) { try object.validateForUpdate() }
            let problem = try #require(error.validationProblems.first)
            #expect(problem.value == 5 && problem.condition == Registry.smallEven)
            #expect(error.message == "Sizes are 2, 4 and 6." && problem.message == error.message)
        }

        @Test func `no value is asked for nothing but its presence`() throws {
            (object.price, object.day, object.code, object.word) = (nil, nil, nil, nil)
            try context.save()
        }

        @Test(arguments: StoreKind.allCases)
        func `NaN is refused, in a number and in a date`(kind: StoreKind) throws {
            let registry = try RegistryStack(kind)
            let context = registry.newContext()
            let object = try context.insert(Registry.Ruled.self)
            object.weight = .nan
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .notANumber && error.objectID == object.anyObjectID)
            #expect(error.validationProblems.map(\.key) == ["weight"])
            object.weight = .infinity
            object.day = Date(timeIntervalSinceReferenceDate: .nan)
            #expect(try #require(throws: SaveError.self) { try context.save() }.code == .invalidDate)
            object.day = nil
            try context.save()
            let id = object.objectID
            #expect(try (registry.newContext().existingObject(with: id.erased) as? Registry.Ruled)?.weight == .infinity)
        }

        @Test(arguments: StoreKind.allCases, [Double.infinity, -.infinity])
        func `a date that is no moment is refused`(kind: StoreKind, seconds: Double) throws {
            let registry = try RegistryStack(kind)
            let context = registry.newContext()
            let object = try context.insert(Registry.Dated.self)
            object.day = Date(timeIntervalSinceReferenceDate: seconds)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .invalidDate && error.message.contains("Dated.day is not a valid date"))
            object.day = .distantFuture
            try context.save()
            object.day = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(try #require(throws: SaveError.self) { try context.save() }.code == .invalidDate)
        }

        @Test func `a message names the bound`() throws {
            (object.age, object.share, object.price) = (151, 0.05, 11)
            (object.day, object.code) = (Registry.dayOne - 1, "12345")
            let error = try #require(throws: SaveError.self) { try context.save() }
            for bound in [
                "maximum of 150", "minimum of 0.1", "maximum of 10.", "minimum of 2001-01-01", "length of 4 UTF-16",
            ] {
                #expect(error.message.contains(bound), "\(bound)")
            }
        }

        @Test func `problems of several objects name them`() throws {
            try context.save()
            let other = try context.insert(Registry.Ruled.self)
            (object.age, other.age) = (151, -1)
            let error = try #require(throws: SaveError.self) { try context.save() }
            for id in [object.anyObjectID, other.anyObjectID] {
                #expect(error.message.contains("(\(id.uri.absoluteString))"))
            }
        }

        @Test func `a decimal that is not a number is refused`() throws {
            object.price = .nan
            try expectProblem(.notANumber, "price")
            object.price = Decimal(sign: .plus, exponent: 101, significand: 1)
            try expectProblem(.notANumber, "price")
        }

        @Test func `several problems are 1560 with the list, each with its object and key`() throws {
            let other = try context.insert(Registry.Ruled.self)
            object.age = -1
            object.word = "ABC"
            other.size = 1
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code.rawValue == 1560)
            #expect(error.validationProblems.map(\.key) == ["age", "word", "size"])
            #expect(error.validationProblems.map(\.code.rawValue) == [1620, 1680, 1550])
            #expect(
                error.validationProblems.map(\.objectID)
                    == [object.anyObjectID, object.anyObjectID, other.anyObjectID])
        }

        @Test func `messages hold no values`() throws {
            object.word = "SECRET-WORD"
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(!"\(error)\(error.validationProblems)".contains("SECRET"))
        }

        @Test func `a value can be checked before it is set`() throws {
            var value: ManagedValue = 151
            let error = try #require(throws: SaveError.self) { try object.validateValue(&value, forKey: "age") }
            #expect(error.code == .numberTooLarge && object.age == 1)
            value = "old"
            #expect(throws: FetchError.self) { try object.validateValue(&value, forKey: "age") }
            let unknown = try #require(throws: FetchError.self) { try object.validateValue(&value, forKey: "aeg") }
            #expect(unknown.code == .unknownKey && unknown.message.contains("\"age\""))
            value = nil
            #expect(
                try #require(throws: SaveError.self) { try object.validateValue(&value, forKey: "age") }.code
                    == .missingMandatoryProperty)
        }

        @Test func `a validation predicate about another key is refused with the model`() throws {
            let other = Condition.comparison(.init(.keyPath("b"), .equal, .value(1)))
            let wrong = Condition.comparison(.init(.object, .greaterThan, .value("text")))
            let error = try #require(throws: ModelError.self) {
                try ManagedObjectModel {
                    EntityDescription("Thing") {
                        AttributeDescription(
                            "a", .integer16, validationPredicates: [ValidationPredicate(other, warning: "")])
                        AttributeDescription(
                            "b", .integer16, validationPredicates: [ValidationPredicate(wrong, warning: "")])
                    }
                }
            }
            #expect(error.problems.map(\.kind) == [.invalidValidationPredicate, .invalidValidationPredicate])
            #expect(error.problems.map(\.propertyName) == ["a", "b"])
        }

        @Test func `a regular expression that takes too long is an error, not an answer`() throws {
            let model = try ManagedObjectModel {
                EntityDescription("Thing") { AttributeDescription("a", .string, regularExpression: "(a+)+b") }
            }
            let stack = Stack(model: model)
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let thing = try context.insert(#require(model.entitiesByName["Thing"]))
            try thing.setValue(.string(String(repeating: "a", count: 40)), forKey: "a")
            let error = try #require(throws: FetchError.self) { try context.save() }
            #expect(error.code == .patternTooExpensive)
        }

        @Test func `rules of a model file hold`() throws {
            let text = """
                <model><entity name="Thing">
                <attribute name="a" attributeType="String" minValueString="2" regularExpressionString="x+" optional="YES"/>
                <attribute name="b" attributeType="Integer 16" maxValueString="5" optional="YES"/>
                </entity></model>
                """
            let model = try ModelBundle.model(fromContents: Data(text.utf8), fileName: "M.xcdatamodel/contents")
            let stack = Stack(model: model)
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let thing = try context.insert(#require(model.entitiesByName["Thing"]))
            try thing.setValue("y", forKey: "a")
            try thing.setValue(6, forKey: "b")
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.validationProblems.map(\.code.rawValue) == [1670, 1680, 1610])
        }
    }
#endif
