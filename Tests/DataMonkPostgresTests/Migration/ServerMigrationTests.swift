#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Stores on a server that are migrated: each kind of change, with the data before and after it.
    @Suite struct ServerMigrationTests {
        private let stage: MigrationStore

        init() throws { stage = try MigrationStore() }

        private static let name = PropertyDescription.attribute(AttributeDescription("name", .string))

        private static func model(_ entities: EntityDescription...) throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: entities)
        }

        /// An entity with a name.
        private static func entity(
            _ name: String, _ properties: [PropertyDescription] = [], in superentity: String? = nil,
            isAbstract: Bool = false, unique: [[String]] = [], indexes: [FetchIndexDescription] = [],
            was identifier: String? = nil
        ) -> EntityDescription {
            EntityDescription(
                name, superentityName: superentity, isAbstract: isAbstract,
                properties: (superentity == nil ? [Self.name] : []) + properties, uniquenessConstraints: unique,
                indexes: indexes, renamingIdentifier: identifier)
        }

        private static func toOne(
            _ name: String, _ entity: String, _ inverse: String? = nil, isOptional: Bool = true, was old: String? = nil,
            rule: DeleteRule = .nullify
        ) -> PropertyDescription {
            .relationship(
                RelationshipDescription(
                    name, to: entity, inverse: inverse, isOptional: isOptional, deleteRule: rule,
                    renamingIdentifier: old))
        }

        private static func toMany(
            _ name: String, _ entity: String, _ inverse: String? = nil, isOrdered: Bool = false, was old: String? = nil,
            rule: DeleteRule = .nullify
        ) -> PropertyDescription {
            .relationship(
                RelationshipDescription(
                    name, to: entity, inverse: inverse, isToMany: true, isOrdered: isOrdered, deleteRule: rule,
                    renamingIdentifier: old))
        }

        private static func attribute(
            _ name: String, _ type: AttributeType = .integer64, isOptional: Bool = true, _ value: ManagedValue = .null,
            was old: String? = nil
        ) -> PropertyDescription {
            .attribute(
                AttributeDescription(
                    name, type, isOptional: isOptional, defaultValue: value, renamingIdentifier: old))
        }

        private func failure(_ model: ManagedObjectModel, discarding: DiscardableData = []) throws -> MigrationError {
            let before = try stage.structure()
            let error = try #require(
                throws: MigrationError.self,
                performing: { try stage.call(model, discarding: discarding, isPlan: false) })
            #expect(try stage.structure() == before)
            return error
        }

        // MARK: Attributes

        @Test func `added attributes have their defaults in the objects that are there, of every type`() throws {
            let types: [(String, AttributeType, ManagedValue)] = [
                ("small", .integer16, .int(-7)), ("middle", .integer32, .int(1 << 30)),
                ("large", .integer64, .int(1 << 60)),
                ("exact", .decimal, .decimal(try #require(Decimal(string: "0.1")))), ("real", .double, .double(0.1)),
                ("short", .float, .double(0.5)), ("flag", .boolean, .bool(true)),
                ("text", .string, .string("it's \\ \"é\"")),
                ("time", .date, .date(Date(timeIntervalSinceReferenceDate: 0.000001))),
                ("identity", .uuid, .uuid(UUID())), ("data", .binary, .data(Data([0, 39, 92, 255]))),
                ("place", .uri, .url(try #require(URL(string: "https://example.org/'")))),
            ]
            let old = try Self.model(Self.entity("Monk"))
            let context = try stage.context(old)
            try context.add("Monk", ["name": "a"])
            try context.save()
            let new = try Self.model(
                Self.entity(
                    "Monk", types.map { Self.attribute($0.0, $0.1, isOptional: false, $0.2) } + [Self.attribute("none")]
                ))
            let plan = try stage.migrate(new)
            #expect(plan.isAdditive && plan.steps.allSatisfy { $0.kind == .addedProperty } && plan.steps.count == 13)
            let now = try stage.context(new)
            let monk = try now.all("Monk")[0]
            for (name, _, value) in types { #expect(try monk.value(forKey: name) == value, "\(name)") }
            #expect(try monk.value(forKey: "none") == .null)
            #expect(try stage.migrate(new).isEmpty)
        }

        @Test func `a default that a server cannot have is refused`() throws {
            _ = try stage.context(try Self.model(Self.entity("Monk")))
            let new = try Self.model(Self.entity("Monk", [Self.attribute("text", .string, .string("a\u{0}b"))]))
            let error = #expect(throws: StoreError.self) { try stage.call(new, isPlan: false) }
            #expect(error?.code == .incompatibleSchema && error?.message.contains("\"text\"") == true)
        }

        @Test func `a user who does not own the tables is refused`() throws {
            _ = try stage.context(try Self.model(Self.entity("Monk")))
            let role = "reader_\(UUID().uuidString.prefix(8))"
            try stage.run("CREATE ROLE \"\(role)\" LOGIN")
            try stage.run("GRANT USAGE ON SCHEMA \"\(stage.namespace.name)\" TO \"\(role)\"")
            try stage.run("GRANT SELECT ON ALL TABLES IN SCHEMA \"\(stage.namespace.name)\" TO \"\(role)\"")
            let new = try Self.model(Self.entity("Monk", [Self.attribute("rank")]))
            let url = try PostgresServer.shared.get().publicURL.replacing("//postgres@", with: "//\(role)@")
            let error = #expect(throws: StoreError.self) { try stage.call(new, isPlan: false, url: url) }
            #expect(error?.code == .noWritePermission && error?.message.contains("owner") == true)
            #expect(error?.message.contains(role) == false)
            // Reading suffices for a plan.
            #expect(try stage.call(new, isPlan: true, url: url).steps.count == 1)
        }

        @Test func `renamed entities and attributes keep their values, also in a circle`() throws {
            let old = try Self.model(Self.entity("Monk", [Self.attribute("one"), Self.attribute("two")]))
            let context = try stage.context(old)
            try context.add("Monk", ["name": "a", "one": 1, "two": 2])
            try context.save()
            let new = try Self.model(
                Self.entity(
                    "Friar", [Self.attribute("one", was: "two"), Self.attribute("two", was: "one")], was: "Monk"),
                Self.entity("Monk"))
            let plan = try stage.migrate(new)
            #expect(!plan.isAdditive && plan.discards.isEmpty)
            let now = try stage.context(new)
            #expect(try now.values("Friar", "one") == [2] && now.values("Friar", "two") == [1])
            #expect(try now.all("Monk").isEmpty)
            try now.add("Monk", ["name": "b"])
            try now.save()
            #expect(try stage.context(new).values("Monk", "name") == ["b"])
        }

        @Test func `an attribute that is required now gets its default where it was empty`() throws {
            let context = try stage.context(try Self.model(Self.entity("Monk", [Self.attribute("rank")])))
            try context.add("Monk", ["name": "a", "rank": 3])
            try context.add("Monk", ["name": "b"])
            try context.save()
            let new = try Self.model(Self.entity("Monk", [Self.attribute("rank", isOptional: false, 9)]))
            #expect(try !stage.migrate(new).isAdditive)
            #expect(try stage.context(new).values("Monk", "rank") == [3, 9])
        }

        @Test func `elements of a composite attribute are added, kept and removed`() throws {
            func address(_ elements: AttributeDescription...) -> PropertyDescription {
                .attribute(AttributeDescription("address", .composite, elements: elements))
            }
            let (city, code) = (AttributeDescription("city", .string), AttributeDescription("code", .integer32))
            let context = try stage.context(try Self.model(Self.entity("Monk", [address(city, code)])))
            try context.add("Monk", ["name": "a", "address": .dictionary(["city": "Bern", "code": 3_000])])
            try context.save()
            let new = try Self.model(Self.entity("Monk", [address(city, AttributeDescription("land", .string))]))
            let error = try failure(new)
            #expect(error.problems.map(\.propertyName) == ["address.code"])
            try stage.migrate(new, discarding: [.property("Monk", "address.code")])
            #expect(try stage.context(new).values("Monk", "address") == [.dictionary(["city": "Bern"])])
        }

        @Test func `a renamed composite attribute keeps its values`() throws {
            func model(_ name: String, was old: String? = nil) throws -> ManagedObjectModel {
                let address = AttributeDescription(
                    name, .composite, renamingIdentifier: old, elements: [AttributeDescription("city", .string)])
                return try Self.model(Self.entity("Monk", [.attribute(address)]))
            }
            let context = try stage.context(try model("address"))
            try context.add("Monk", ["name": "a", "address": .dictionary(["city": "Bern"])])
            try context.save()
            let new = try model("addresses", was: "address")
            try stage.migrate(new)
            #expect(try stage.context(new).values("Monk", "addresses") == [.dictionary(["city": "Bern"])])
        }

        @Test func `an attribute moves up and down the hierarchy with its values`() throws {
            let context = try stage.context(
                try Self.model(
                    Self.entity("Person", [Self.attribute("age")]),
                    Self.entity("Monk", [Self.attribute("rank")], in: "Person"), Self.entity("Guest", in: "Person")))
            try context.add("Person", ["name": "p"])
            try context.add("Monk", ["name": "m", "age": 50, "rank": 1])
            try context.add("Guest", ["name": "g", "age": 30])
            try context.save()
            let new = try Self.model(
                Self.entity("Person", [Self.attribute("rank", isOptional: false, 7)]),
                Self.entity("Monk", [Self.attribute("age")], in: "Person"),
                Self.entity("Guest", [Self.attribute("age")], in: "Person"))
            try stage.migrate(new)
            let now = try stage.context(new)
            #expect(try now.values("Person", "rank") == [7, 1, 7])
            #expect(try now.values("Monk", "age") == [50] && now.values("Guest", "age") == [30])
        }

        // MARK: Discarding

        @Test func `nothing is taken away unless it was said, and the counts are told`() throws {
            let old = try Self.model(
                Self.entity(
                    "Monk",
                    [
                        Self.attribute("rank", .integer64, 1), Self.toOne("cell", "Cell", "monks"),
                        Self.toMany("books", "Book"),
                    ]),
                Self.entity("Cell", [Self.toMany("monks", "Monk", "cell")]), Self.entity("Book"))
            let context = try stage.context(old)
            let cell = try context.add("Cell", ["name": "c"])
            for (name, rank) in [("a", 1), ("b", 2), ("c", 3)] as [(String, Int64)] {
                let monk = try context.add(
                    "Monk", ["name": .string(name), "rank": .int(rank), "cell": .object(cell.anyObjectID)])
                try monk.setObjects([try context.add("Book", ["name": "x"])], forKey: "books")
            }
            try context.save()
            let new = try Self.model(Self.entity("Monk"), Self.entity("Cell"))
            let error = try failure(new)
            #expect(error.code == .wouldDiscard && error.storeURL == nil)
            let found = error.problems.map { "\($0.entityName ?? "") \($0.propertyName ?? "") \($0.count ?? 0)" }
            // Those equal to the default do not count, nor do links to objects that go.
            #expect(found == ["Book  3", "Monk rank 2", "Cell monks 3"])
            #expect(try stage.plan(new).discards.map(\.problem) == error.problems)
            #expect(try failure(new, discarding: [.entity("Book"), .property("Monk", "rank")]).problems.count == 1)
            let plan = try stage.migrate(
                new, discarding: [.entity("Book"), .property("Monk", "rank"), .property("Cell", "monks")])
            #expect(plan.discards.map(\.isPermitted) == [true, true, true])
            let now = try stage.context(new)
            #expect(try now.values("Monk", "name") == ["a", "b", "c"] && now.values("Cell", "name") == ["c"])
        }

        @Test func `objects of a removed sub-entity go with the links to them`() throws {
            func model(_ entities: EntityDescription...) throws -> ManagedObjectModel {
                try ManagedObjectModel(
                    entities: entities + [
                        Self.entity(
                            "Person",
                            [Self.toOne("host", "House", "guests"), Self.toMany("friends", "Person", "friends")]),
                        Self.entity("House", [Self.toMany("guests", "Person", "host"), Self.toOne("owner", "Person")]),
                    ])
            }
            let context = try stage.context(try model(Self.entity("Monk", in: "Person")))
            let (person, monk) = (try context.add("Person", ["name": "p"]), try context.add("Monk", ["name": "m"]))
            let house = try context.add("House", ["name": "h", "owner": .object(monk.anyObjectID)])
            try house.setObjects([person, monk], forKey: "guests")
            try person.setObjects([monk], forKey: "friends")
            try context.save()
            let new = try model()
            #expect(try failure(new).problems.map(\.count) == [1])
            try stage.migrate(new, discarding: [.entity("Monk")])
            let now = try stage.context(new)
            #expect(try now.values("Person", "name") == ["p"] && now.names("House", "h", "guests") == ["p"])
            #expect(try now.name("House", "h", "owner") == nil && now.names("Person", "p", "friends").isEmpty)
            // Its number is not used again.
            let later = try model(Self.entity("Friar", in: "Person"))
            try stage.migrate(later)
            #expect(
                try stage.numbers("SELECT number::int8 FROM \(stage.table("_entities")) WHERE name = 'Friar'") == [4])
        }

        // MARK: Hierarchies

        @Test func `a new sub-entity gets a number, and those who refer to its tree the numbers of entities`() throws {
            func model(_ entities: EntityDescription...) throws -> ManagedObjectModel {
                try ManagedObjectModel(
                    entities: entities + [Self.entity("Person"), Self.entity("House", [Self.toOne("owner", "Person")])])
            }
            let context = try stage.context(try model())
            let person = try context.add("Person", ["name": "p"])
            try context.add("House", ["name": "h", "owner": .object(person.anyObjectID)])
            try context.save()
            let new = try model(Self.entity("Monk", in: "Person"))
            #expect(try !stage.migrate(new).isAdditive)
            let now = try stage.context(new)
            #expect(try now.name("House", "h", "owner") == "p")
            let monk = try now.add("Monk", ["name": "m"])
            try now.all("House")[0].setValue(.object(monk.anyObjectID), forKey: "owner")
            try now.save()
            #expect(try stage.context(new).name("House", "h", "owner") == "m")
        }

        @Test func `a hierarchy that would be divided is refused by name`() throws {
            let context = try stage.context(
                try Self.model(Self.entity("Person"), Self.entity("Monk", in: "Person")))
            try context.add("Monk", ["name": "m"])
            try context.save()
            let error = try failure(try Self.model(Self.entity("Person"), Self.entity("Monk")))
            #expect(error.code == .notInferable && error.problems.map(\.kind) == [.dividedHierarchy])
            let changed = try failure(
                try Self.model(
                    Self.entity("Person", [Self.toOne("name2", "Person", was: "name")]),
                    Self.entity("Monk", in: "Person")))
            #expect(changed.code == .notInferable && changed.problems.map(\.kind) == [.changedKind])
        }

        // MARK: Links

        /// Returns names of monks in a cell.
        private func fillCell(_ old: ManagedObjectModel, _ key: String) throws {
            let context = try stage.context(old)
            let cell = try context.add("Cell", ["name": "c"])
            let monks = try ["b", "a", "d"].map { try context.add("Monk", ["name": .string($0)]) }
            try cell.setObjects(monks, forKey: key)
            try context.add("Monk", ["name": "z"])
            try context.save()
        }

        private static func cells(_ cell: [PropertyDescription], _ monk: [PropertyDescription]) throws
            -> ManagedObjectModel
        {
            try model(entity("Cell", cell), entity("Monk", monk))
        }

        @Test func `a to-one gets an inverse, an order and another name, and loses them`() throws {
            try fillCell(
                try Self.cells([Self.toMany("monks", "Monk", "cell")], [Self.toOne("cell", "Cell", "monks")]), "monks")
            let ordered = try Self.cells(
                [Self.toMany("inmates", "Monk", "room", isOrdered: true, was: "monks")],
                [Self.toOne("room", "Cell", "inmates", was: "cell")])
            #expect(try stage.migrate(ordered).discards.isEmpty)
            let now = try stage.context(ordered)
            #expect(try now.names("Cell", "c", "inmates") == ["b", "a", "d"])
            try now.all("Cell")[0].setObjects(
                now.all("Monk").filter { try $0.value(forKey: "name") != "b" }, forKey: "inmates")
            try now.save()
            let alone = try Self.cells([], [Self.toOne("room", "Cell")])
            // The links stay, but nothing orders them any more.
            let lost = try stage.migrate(alone).discards.map(\.problem)
            #expect(lost.map(\.kind) == [.discardedOrder] && lost.map(\.propertyName) == ["inmates"])
            let last = try stage.context(alone)
            #expect(try ["a", "b", "d", "z"].map { try last.name("Monk", $0, "room") } == ["c", nil, "c", "c"])
        }

        @Test func `a to-one becomes a to-many, with a table, without an inverse, and a to-one again`() throws {
            try fillCell(
                try Self.cells([Self.toMany("monks", "Monk", "cell")], [Self.toOne("cell", "Cell", "monks")]), "monks")
            let many = try Self.cells([Self.toMany("monks", "Monk", "cell")], [Self.toMany("cell", "Cell", "monks")])
            try stage.migrate(many)
            var context = try stage.context(many)
            #expect(Set(try context.names("Cell", "c", "monks")) == ["a", "b", "d"])
            #expect(try context.names("Monk", "a", "cell") == ["c"])
            // Another cell, of which one monk is also.
            let other = try context.add("Cell", ["name": "e"])
            try other.setObjects(context.all("Monk").filter { try $0.value(forKey: "name") == "a" }, forKey: "monks")
            try context.save()
            let without = try Self.cells([Self.toMany("monks", "Monk", isOrdered: true)], [])
            let error = try failure(without)
            #expect(error.problems.map(\.kind) == [.discardedLinks] && error.problems.map(\.count) == [1])
            try stage.migrate(without, discarding: [.property("Cell", "monks")])
            context = try stage.context(without)
            #expect(try context.names("Cell", "c", "monks") == ["b", "a", "d"])
            #expect(try context.names("Cell", "e", "monks").isEmpty)
            let one = try Self.cells([Self.toOne("monks", "Monk", "cell")], [Self.toOne("cell", "Cell", "monks")])
            #expect(try failure(one).problems.map(\.count) == [2])
            let plan = try stage.migrate(one, discarding: .everything)
            #expect(plan.discards.map(\.problem.kind) == [.discardedLinks])
            context = try stage.context(one)
            #expect(try context.name("Cell", "c", "monks") == "b" && context.name("Monk", "b", "cell") == "c")
            #expect(try context.name("Monk", "a", "cell") == nil)
        }

        @Test func `the table of a many-to-many stays, is renamed, and gets orders`() throws {
            let context = try stage.context(
                try Self.model(
                    Self.entity("Book", [Self.toMany("tags", "Tag", "books")]),
                    Self.entity("Tag", [Self.toMany("books", "Book", "tags")])))
            let tags = try ["y", "x"].map { try context.add("Tag", ["name": .string($0)]) }
            try context.add("Book", ["name": "b"]).setObjects(tags, forKey: "tags")
            try context.save()
            for (book, isOrdered) in [("Volume", true), ("Volume", false), ("Zine", true)] {
                let new = try Self.model(
                    Self.entity(
                        book, [Self.toMany("labels", "Tag", "books", isOrdered: isOrdered, was: "tags")],
                        was: book == "Zine" ? "Volume" : "Book"),
                    Self.entity("Tag", [Self.toMany("books", book, "labels", isOrdered: isOrdered)]))
                let plan = try stage.migrate(new)
                #expect(plan.discards.allSatisfy { $0.isPermitted && $0.problem.kind == .discardedOrder })
                #expect(plan.discards.count == (isOrdered ? 0 : 1))
                let now = try stage.context(new)
                #expect(Set(try now.names(book, "b", "labels")) == ["x", "y"])
                #expect(try now.names("Tag", "x", "books") == ["b"])
            }
        }

        @Test func `a required relationship that objects lack is refused, and filled ones are not`() throws {
            func model(isOptional: Bool) throws -> ManagedObjectModel {
                try Self.cells(
                    [Self.toMany("monks", "Monk", "cell")],
                    [Self.toOne("cell", "Cell", "monks", isOptional: isOptional)])
            }
            try fillCell(try model(isOptional: true), "monks")
            let error = try failure(try model(isOptional: false))
            #expect(error.code == .constraintViolation)
            #expect(error.problems.map(\.kind) == [.missingLinks] && error.problems.map(\.count) == [1])
            try stage.run("DELETE FROM \(stage.table("monk")) WHERE name = 'z'")
            #expect(try !stage.migrate(try model(isOptional: false)).isAdditive)
        }

        // MARK: Indexes and references

        @Test func `indexes and references are made and dropped, and equal values are refused`() throws {
            let index = FetchIndexDescription("byRank", on: ["rank"])
            func model(
                unique: Bool, index: FetchIndexDescription? = nil, rule: DeleteRule = .nullify
            ) throws -> ManagedObjectModel {
                try Self.model(
                    Self.entity(
                        "Monk", [Self.attribute("rank"), Self.toOne("cell", "Cell", "monks")],
                        unique: unique ? [["name"]] : [], indexes: [index].compactMap(\.self)),
                    Self.entity("Cell", [Self.toMany("monks", "Monk", "cell", rule: rule)]))
            }
            let context = try stage.context(try model(unique: false))
            for _ in 0..<2 { try context.add("Monk", ["name": "a"]) }
            try context.save()
            // No part of the version.
            let plan = try stage.migrate(try model(unique: false, index: index))
            #expect(plan.isAdditive && plan.steps.isEmpty && !plan.isEmpty)
            let error = try failure(try model(unique: true))
            #expect(error.code == .constraintViolation && error.problems.map(\.kind) == [.duplicateValues])
            #expect(error.problems.map(\.propertyName) == ["name"])
            try stage.run("UPDATE \(stage.table("monk")) SET name = _id::text")
            let unique = try stage.migrate(try model(unique: true))
            #expect(!unique.isAdditive)
            let loose = try model(unique: false, rule: .noAction)
            #expect(try !stage.migrate(loose, discarding: .laterVersions).isAdditive)
            #expect(try stage.migrate(loose).isEmpty)
            try stage.migrate(try model(unique: true, index: index), discarding: .laterVersions)
        }

        @Test func `what may be wrong for a process of the version before is no addition`() throws {
            func monk(_ properties: PropertyDescription..., modifier: String? = nil) -> EntityDescription {
                EntityDescription("Monk", properties: [Self.name] + properties, versionHashModifier: modifier)
            }
            let cell = Self.entity("Cell")
            let changes = [
                try Self.model(monk(Self.toOne("cell", "Cell", isOptional: false)), cell),
                try Self.model(monk(modifier: "2"), cell), try Self.model(monk()),
                try Self.model(monk(), cell, Self.entity("Lamp", in: "Cell")),
                try Self.model(
                    monk(), EntityDescription("Cell", properties: [Self.name], uniquenessConstraints: [["name"]])),
                try Self.model(monk(Self.toOne("cell", "Cell", rule: .cascade)), cell),
                try Self.model(
                    monk(Self.toOne("cell", "Cell", "monk")),
                    Self.entity("Cell", [Self.toOne("monk", "Monk", "cell", isOptional: false)])),
            ]
            let additions = [
                try Self.model(
                    monk(Self.toOne("cell", "Cell", "monk")), Self.entity("Cell", [Self.toOne("monk", "Monk", "cell")])),
                try Self.model(monk(), cell, Self.entity("Lamp", [Self.toMany("monks", "Monk")])),
            ]
            _ = try stage.context(try Self.model(monk(), cell))
            for (place, model) in changes.enumerated() { #expect(try !stage.plan(model).isAdditive, "\(place)") }
            for (place, model) in additions.enumerated() { #expect(try stage.plan(model).isAdditive, "\(place)") }
        }

        @Test func `values are those of their own entity's default, or discarded only if that is said`() throws {
            func rank(_ value: ManagedValue) -> PropertyDescription { Self.attribute("rank", isOptional: false, value) }
            let old = try Self.model(
                Self.entity("Monk", [rank(0)]), Self.entity("Abbot", [rank(1)], in: "Monk"))
            let context = try stage.context(old)
            for _ in 0..<2 { try context.add("Abbot", ["name": "a", "rank": 0]) }
            try context.add("Abbot", ["name": "b", "rank": 1])
            try context.add("Monk", ["name": "c", "rank": 0])
            try context.save()
            let new = try Self.model(Self.entity("Monk"), Self.entity("Abbot", in: "Monk"))
            #expect(try failure(new).problems.map(\.count) == [2])
            try stage.migrate(new, discarding: [.property("Monk", "rank")])
            // A column has one default.
            #expect(try !stage.plan(old, discarding: .laterVersions).isAdditive)
        }

        // MARK: Versions

        @Test func `a store goes back to an earlier version only if that was said`() throws {
            let old = try Self.model(Self.entity("Monk"))
            let new = try Self.model(Self.entity("Monk", [Self.attribute("rank")]))
            _ = try stage.context(old)
            try stage.migrate(new)
            #expect(try failure(old).code == .newerStore)
            try stage.migrate(old, discarding: .laterVersions)
            // It is no earlier one now.
            try stage.migrate(new)
            #expect(try failure(old).code == .newerStore)
        }

        @Test func `there is nothing to migrate in an empty schema`() throws {
            let model = try Self.model(Self.entity("Monk"))
            let error = #expect(throws: StoreError.self) { try stage.call(model, isPlan: false) }
            #expect(error?.code == .openFailed)
            #expect(
                try stage.numbers("SELECT count(*) FROM pg_namespace WHERE nspname = '\(stage.namespace.name)'") == [0])
        }
    }
#endif
