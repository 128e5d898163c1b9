#if Macros
    import DataMonk
    import Testing

    /// What a class says to its objects' being saved.
    @Suite struct `Validation hooks` {
        private let registry: RegistryStack
        private let context: ManagedObjectContext
        private let object: Registry.Guarded

        init() throws {
            registry = try RegistryStack(.file)
            context = registry.newContext()
            object = try context.insert(Registry.Guarded.self)
        }

        @Test func `validateForInsert, validateForUpdate and validateForDelete run each in its case`() throws {
            try context.save()
            object.age = 1
            try context.save()
            context.delete(object)
            try context.save()
            #expect(object.events == ["insert", "update", "delete"])
        }

        @Test func `a custom error alone surfaces unchanged, from every hook`() throws {
            object.atValidation = { _ in throw Registry.Refusal(text: "whole") }
            #expect(throws: Registry.Refusal(text: "whole")) { try context.save() }
            object.atValidation = nil
            object.atValue = { _, key in if key == "age" { throw Registry.Refusal(text: key) } }
            #expect(throws: Registry.Refusal(text: "age")) { try context.save() }
            object.atValue = nil
            try context.save()
            object.atValidation = { _ in throw Registry.Refusal(text: "stay") }
            context.delete(object)
            #expect(throws: Registry.Refusal(text: "stay")) { try context.save() }
        }

        @Test func `among others a custom error is in the list`() throws {
            object.level = 11
            object.atValue = { _, key in if key == "age" { throw Registry.Refusal(text: key) } }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code.rawValue == 1560)
            #expect(error.validationProblems.map(\.key) == ["age", "level"])
            #expect(error.validationProblems[0].underlyingError as? Registry.Refusal == .init(text: "age"))
            #expect(error.validationProblems[0].objectID == object.anyObjectID)
            #expect(error.validationProblems[1].code == .numberTooLarge)
        }

        @Test func `a save inside of the context's own save is refused`() throws {
            var caught: [SaveError.Code] = []
            object.atValidation = { [context] _ in
                do {
                    try context.save()
                } catch let error as SaveError {
                    caught.append(error.code)
                }
            }
            try context.save()
            #expect(caught == [.savedWhileSaving])
            #expect(!context.hasChanges && !object.anyObjectID.isTemporaryID)
            object.atValidation = { [context] _ in try context.save() }
            object.age = 1
            #expect(try #require(throws: SaveError.self) { try context.save() }.code == .savedWhileSaving)
            object.atValidation = nil
            try context.save()
            #expect(!context.hasChanges)
        }

        @Test(arguments: ["rollback()", "reset()", "undoManager"])
        func `a save whose validation discards the changes is refused, and they stay`(call: String) throws {
            object.atValidation = { [context] _ in
                switch call {
                case "rollback()": context.rollback()
                case "reset()": context.reset()
                default: context.undoManager = ContextUndoManager()
                }
            }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .savedWhileSaving && error.message.contains(call))
            object.atValidation = nil
            try context.save()
            #expect(!context.hasChanges && !object.anyObjectID.isTemporaryID && context.undoManager == nil)
        }

        @Test func `validateValue may put another value in place`() throws {
            object.name = "  monk "
            object.atValue = { value, key in
                if key == "name", case .string(let text) = value { value = .string(text.filter { $0 != " " }) }
            }
            try context.save()
            #expect(object.name == "monk" && !object.hasChanges)
            #expect(
                try (registry.newContext().existingObject(with: object.anyObjectID) as? Registry.Guarded)?.name
                    == "monk")
        }

        @Test func `a value that validation made is validated too`() throws {
            object.atValue = { value, key in if key == "level" { value = 99 } }
            #expect(try #require(throws: SaveError.self) { try context.save() }.code == .numberTooLarge)
        }

        @Test func `what validation changes is validated again, in other objects too`() throws {
            let other = try context.insert(Registry.Guarded.self)
            try context.save()
            (object.events, other.events) = ([], [])
            object.age = 1
            object.atValidation = { _ in if other.age != 7 { other.age = 7 } }
            try context.save()
            #expect(object.events.count == 2 && other.events.last == "update")
            #expect(try (registry.newContext().existingObject(with: other.anyObjectID) as? Registry.Guarded)?.age == 7)
        }

        @Test func `a validation that never settles is stopped with an error that names the object`() throws {
            object.atValidation = { $0.age += 1 }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .validationDoesNotSettle && error.objectID == object.anyObjectID)
            object.atValidation = nil
            try context.save()
        }

        @Test func `a hook of a class above is called, and so is one of a class without the macro`() throws {
            final class Plain: ManagedObject {
                override nonisolated class var entityDeclaration: EntityDeclaration? {
                    EntityDeclaration("Plain", class: Plain.self, properties: [.property("age", Int.self, default: 0)])
                }
                override func validateValue(_ value: inout ManagedValue, forKey key: String) throws {
                    throw Registry.Refusal(text: key)
                }
            }
            let stack = Stack(model: try ManagedObjectModel(classes: [Plain.self]))
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            _ = try context.insert(Plain.self)
            #expect(throws: Registry.Refusal(text: "age")) { try context.save() }
        }

        @Test func `what the model asks holds where an override does not call super`() throws {
            final class Careless: ManagedObject {
                override nonisolated class var entityDeclaration: EntityDeclaration? {
                    EntityDeclaration(
                        "Careless", class: Careless.self,
                        properties: [.property("age", Int.self, default: 0, options: [.minimum(1)])])
                }
                override func validateValue(_ value: inout ManagedValue, forKey key: String) throws {}
            }
            let stack = Stack(model: try ManagedObjectModel(classes: [Careless.self]))
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            _ = try context.insert(Careless.self)
            #expect(try #require(throws: SaveError.self) { try context.save() }.code == .numberTooSmall)
        }
    }
#endif
