#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    enum Rank: Int, CaseIterable, ManagedAttribute {
        case novice, brother, abbot
    }

    @Entity final class Brother: ManagedObject {
        @Attribute(.unique) var number: Int = 0
        var name: String
        var rank: Rank = .novice
        var born: Date?
        @Attribute(.externalStorage) var portrait: Data?
        @Attribute(.minimum(0), .maximum(24)) var hoursOfWork: Int16 = 8
        @Attribute(.derived("scrolls.@count")) private(set) var scrollCount: Int = 0
        @Transient var isSelected: Bool = false

        @Relationship(deleteRule: .cascade, inverse: \Scroll.owner) var scrolls: Set<Scroll>
        @Relationship(inverse: \Brother.teacher) var pupils: [Brother]
        var teacher: Brother?
    }

    @Entity final class Scroll: ManagedObject {
        #Index<Scroll>([\.shelf, \.title])
        var title: String = ""
        var shelf: Int = 0
        @Relationship(.required) var owner: Brother?
    }

    @Suite struct ModelsTests {
        @Test func `a required attribute without a value`() async throws {
            let stack = try Stack.inMemory(Brother.self)
            try await Context(stack: stack).update { update in
                let brother = try update.create(Brother.self)
                let error = #expect(throws: SaveError.self) { try update.commit() }
                #expect(error?.code == .missingMandatoryProperty)
                #expect(error?.validationProblems.map(\.key) == ["name"])

                brother.name = "Bede"
                try update.commit()
            }
        }

        @Test func `what the article says of values`() throws {
            let objects = try TestObjects(Brother.self)
            let brother = try objects.create(Brother.self)
            #expect(brother.name == "" && brother.rank == .novice && brother.scrolls.isEmpty && brother.pupils == [])
            brother.name = ""
            let scroll = try objects.create(Scroll.self) { $0.owner = brother }
            let pupil = try objects.create(Brother.self) {
                ($0.name, $0.number, $0.teacher) = ("Wilfrid", 1, brother)
            }
            #expect(brother.scrolls == [scroll] && brother.pupils == [pupil])
            try objects.managedObjectContext.save()
            #expect(brother.scrollCount == 1)
            try brother.setValue(7, forKey: "rank")
            #expect(brother.rank == .novice)
            #expect(try Transformable(.list(["urgent", "paid"])).value() == .list(["urgent", "paid"]))
        }

        @Test func `the columns are those of the table`() async throws {
            try await withTemporaryStore { url in
                let recorder = StatementRecorder()
                let stack = try Stack(Brother.self, trace: recorder.trace)
                try stack.addDatabaseStore(fileURL: url)
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                let selected = try Condition(format: "isSelected == YES")
                #expect(throws: FetchError.self) {
                    try context.fetch(FetchRequest(entityName: "Brother", condition: selected))
                }
                let table = try #require(recorder.all.first { $0.sql.contains("CREATE TABLE ZBROTHER") }).sql
                for column in [
                    "ZNAME VARCHAR", "ZBORN TIMESTAMP", "ZPORTRAIT BLOB", "ZHOURSOFWORK INTEGER", "ZTEACHER INTEGER",
                ] {
                    #expect(table.contains(column), "\(table)")
                }
                #expect(!table.contains("ZISSELECTED") && !table.contains("ZSCROLLS"))
                #expect(recorder.all.contains { $0.sql.contains("INDEX") && $0.sql.contains("ZTEACHER") })
                try stack.close()
            }
        }
    }
#endif
