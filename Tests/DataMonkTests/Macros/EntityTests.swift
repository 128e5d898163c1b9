#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite @MainActor struct `Classes made by @Entity` {
        private let stack: Stack
        private let World: MainContext

        init() throws {
            stack = try Stack(Monastery.Monk.self, Monastery.Temple.self)
            try stack.addInMemoryStore()
            World = try MainContext(stack: stack)
        }

        @Test func `a new object has the initial values`() async throws {
            try await World.update { update in
                let monk = try update.create(Monastery.Monk.self)
                #expect(monk.name == "nobody")
                #expect(monk.born == nil)
                #expect(monk.rank == .novice)
                #expect(monk.number == nil)
                #expect(monk.isAwake)
                #expect(monk.teacher == nil)
                #expect(monk.pupils == [])
            }
        }

        @Test func `inherited and own properties keep apart`() async throws {
            try await World.update { update in
                let monk = try update.create(Monastery.Monk.self)
                monk.temple = try update.create(Monastery.Temple.self)
                monk.name = "Wei"
                monk.born = Date(timeIntervalSinceReferenceDate: 1)
                monk.rank = .abbot
                monk.number = 7
                try update.commit()
            }
            let monk = try World.fetch(Monastery.Monk.self, %"number" == 7)
            #expect(monk.greeting() == "I am Wei")
            #expect(monk.born == Date(timeIntervalSinceReferenceDate: 1))
            #expect(monk.rank == .abbot)
        }

        @Test func `setting one side of a relationship sets the other`() async throws {
            try await World.update { update in
                let teacher = try update.create(Monastery.Monk.self)
                let pupil = try update.create(Monastery.Monk.self)
                pupil.teacher = teacher
                #expect(teacher.pupils == [pupil])
                teacher.pupils = []
                #expect(pupil.teacher == nil)
            }
        }

        @Test func `an ordered relationship keeps its order`() async throws {
            try await World.update { update in
                let temple = try update.create(Monastery.Temple.self)
                let monks = [try update.create(Monastery.Monk.self), try update.create(Monastery.Monk.self)]
                temple.monks = monks.reversed()
                #expect(temple.monks == monks.reversed())
                #expect(monks[0].temple === temple)
            }
        }

        @Test func `a relationship that is its own inverse works both ways`() async throws {
            try await World.update { update in
                let elder = try update.create(Monastery.Monk.self)
                let younger = try update.create(Monastery.Monk.self)
                elder.brothers = [younger]
                #expect(younger.brothers == [elder])
            }
        }

        @Test func `the model says what the classes say`() throws {
            let model = try ManagedObjectModel(classes: [Monastery.Monk.self])
            let being = try #require(model.entitiesByName["Being"])
            let monk = try #require(model.entitiesByName["Monk"])
            let temple = try #require(model.entitiesByName["Temple"])
            #expect(being.isAbstract)
            #expect(being.description.indexes.map(\.elements.count) == [1])
            #expect(monk.superentity === being)
            #expect(monk.managedObjectClass == Monastery.Monk.self)
            #expect(monk.description.uniquenessConstraints == [["name", "rank"], ["number"]])
            let names = ["name", "born", "rank", "number", "isAwake", "teacher", "pupils", "temple", "brothers"]
            #expect(monk.properties.map(\.name) == names)
            #expect(monk.propertiesByName["isAwake"]?.attribute?.description.isTransient == true)
            #expect(monk.propertiesByName["number"]?.attribute?.description.renamingIdentifier == "no")
            #expect(monk.propertiesByName["temple"]?.relationship?.inverse === temple.relationships.first)
            #expect(temple.relationships.first?.description.deleteRule == .cascade)
        }
    }
#endif
