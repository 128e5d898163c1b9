import DataMonkCore
import DataMonkSQL
import Testing

struct JoinTableTests {
    private func schema(@ManagedObjectModel.EntitiesBuilder _ entities: () -> [EntityDescription]) throws -> StoreSchema
    {
        try StoreSchema(model: ManagedObjectModel(entities: entities))
    }

    private func toMany(_ name: String, _ destination: String, _ inverse: String?, ordered: Bool = false)
        -> RelationshipDescription
    {
        RelationshipDescription(name, to: destination, inverse: inverse, isToMany: true, isOrdered: ordered)
    }

    @Test func `the entity with the lower number names the table`() throws {
        let schema = try schema {
            EntityDescription("Account") { toMany("enabledDataclasses", "Dataclass", nil) }
            EntityDescription("Dataclass") { toMany("enabledAccounts", "Account", "enabledDataclasses") }
        }
        let table = try #require(schema.joinTables.first)
        #expect(schema.joinTables.count == 1)
        #expect(
            table.createStatement == """
                CREATE TABLE Z_1ENABLEDDATACLASSES ( Z_1ENABLEDACCOUNTS INTEGER, Z_2ENABLEDDATACLASSES INTEGER, \
                PRIMARY KEY (Z_1ENABLEDACCOUNTS, Z_2ENABLEDDATACLASSES) )
                """)
        #expect(
            table.index.createStatement == """
                CREATE INDEX Z_1ENABLEDDATACLASSES_Z_2ENABLEDDATACLASSES_INDEX ON Z_1ENABLEDDATACLASSES \
                (Z_2ENABLEDDATACLASSES, Z_1ENABLEDACCOUNTS)
                """)
    }

    @Test func `both sides see one table, each from its own end`() throws {
        let schema = try schema {
            EntityDescription("A") { toMany("bs", "B", "as", ordered: true) }
            EntityDescription("B") { toMany("as", "A", nil, ordered: true) }
        }
        let table = try #require(schema.joinTables.first)
        #expect(table.sourceOrderColumn == "Z_FOK_1AS")
        #expect(table.destinationOrderColumn == "Z_FOK_2BS")
        let (a, b) = try (#require(schema.model.entitiesByName["A"]), #require(schema.model.entitiesByName["B"]))
        guard case .manyToMany(let ours)? = schema.schema(of: a)?.storage(ofPropertyNamed: "bs"),
            case .manyToMany(let theirs)? = schema.schema(of: b)?.storage(ofPropertyNamed: "as")
        else {
            Issue.record("both are many-to-many")
            return
        }
        #expect(ours.sourceColumn == "Z_1AS")
        #expect(ours.destinationColumn == "Z_2BS")
        #expect(ours.orderColumn == "Z_FOK_2BS")
        #expect(theirs.sourceColumn == "Z_2BS")
        #expect(theirs.destinationColumn == "Z_1AS")
        #expect(theirs.orderColumn == "Z_FOK_1AS")
    }

    @Test func `a relationship that is its own inverse has a reflexive column`() throws {
        let schema = try schema {
            EntityDescription("Person") { toMany("friends", "Person", "friends", ordered: true) }
        }
        #expect(
            schema.joinTables.map(\.createStatement) == [
                """
                CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, FOK_REFLEXIVE INTEGER, \
                PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )
                """
            ])
    }

    @Test func `a relationship of a sub-entity has the sub-entity's number`() throws {
        let schema = try schema {
            EntityDescription("Base") {}
            EntityDescription("Leaf", superentityName: "Base") { toMany("tags", "Tag", nil) }
            EntityDescription("Tag") { toMany("leaves", "Leaf", "tags") }
        }
        #expect(schema.joinTables.map(\.name) == ["Z_2TAGS"])
        #expect(schema.joinTables.map(\.sourceColumn) == ["Z_2LEAVES"])
    }

    @Test func `of two columns of one owner with one name the later is numbered`() throws {
        let schema = try schema {
            EntityDescription("Owner") {
                toMany("cats", "Cat", nil)
                toMany("dogs", "Dog", nil)
            }
            EntityDescription("Cat") { toMany("owners", "Owner", "cats") }
            EntityDescription("Dog") { toMany("owners", "Owner", "dogs") }
        }
        let names = schema.joinTables.map(\.destinationColumn)
        #expect(Set(names) == ["Z_3OWNERS", "Z_3OWNERS1"])
    }
}
