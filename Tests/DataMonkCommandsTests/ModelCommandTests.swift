import ArgumentParser
import DataMonkCommands
import DataMonkCore
import DataMonkFixtures
import DataMonkSQLite
import Foundation
import Testing

/// What the commands on models print.
@Suite struct `Commands on models` {
    private let folder: GenerationFolder

    init() throws { folder = try GenerationFolder() }

    private static let first = """
        <model>
          <entity name="Person" isAbstract="YES">
            <attribute name="name" attributeType="String" defaultValueString="x"/>
            <attribute name="age" optional="YES" attributeType="Integer 16"/>
            <attribute name="gone" optional="YES" attributeType="Date"/>
          </entity>
          <entity name="Monk" parentEntity="Person">
            <relationship name="pupils" optional="YES" toMany="YES" destinationEntity="Monk" inverseName="teacher" \
        inverseEntity="Monk"/>
            <relationship name="teacher" optional="YES" maxCount="1" destinationEntity="Monk" inverseName="pupils" \
        inverseEntity="Monk"/>
          </entity>
          <entity name="Visit"><attribute name="day" optional="YES" attributeType="Date"/></entity>
        </model>
        """

    /// The first version with a renamed attribute, one of another type, and without an entity.
    private static var second: String {
        first.replacing(#"name="name""#, with: #"name="title" elementID="name""#)
            .replacing(
                #"name="age" optional="YES" attributeType="Integer 16""#,
                with: #"name="age" optional="YES" attributeType="String""#
            )
            .replacing(#"    <attribute name="gone" optional="YES" attributeType="Date"/>\#n"#, with: "")
            .replacing(
                #"  <entity name="Visit"><attribute name="day" optional="YES" attributeType="Date"/></entity>\#n"#,
                with: "")
    }

    private func write(_ contents: String, named name: String) throws -> String {
        let version = folder.url.appending(path: "\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(contents.utf8).write(to: version.appending(path: "contents"))
        return version.path
    }

    @Test func `print lists entities, properties and what is said of them`() throws {
        let path = try write(Self.first, named: "A")
        let text = try ModelCommand.Print.parse([path]).outcome().output
        #expect(text.contains("Monk: Person\n  pupils   → Monk.teacher, to many\n"))
        #expect(text.contains("Person, abstract\n  name  String, required, default x\n  age   Integer 16\n"))
    }

    @Test func `diff says what migrates, what needs a mapping, and what would be lost`() throws {
        let (old, new) = (try write(Self.first, named: "A"), try write(Self.second, named: "B"))
        let outcome = try ModelCommand.Difference.parse([old, new]).outcome()
        #expect(outcome.status == .findings)
        #expect(outcome.output.contains("~ Person.title: renamed from name\n"))
        #expect(outcome.output.contains("- Person.gone: removed (its values would be discarded)\n"))
        #expect(outcome.output.contains("- Visit: entity removed (its objects would be discarded)\n"))
        #expect(outcome.output.contains("~ Person.age: Integer 16 → String\n"))
        #expect(outcome.output.contains("Stores need a mapping:\n  Person.age: "))
        let same = try ModelCommand.Difference.parse([old, old]).outcome()
        #expect(same.status == .success && same.output.contains("No differences."))
        #expect(throws: (any Error).self) { try ModelCommand.Difference.parse([old]) }
    }

    @Test func `diff names links without room, a lost order, and what leaves a superentity or a composite`() throws {
        let old = """
            <model><entity name="Base"><attribute name="note" optional="YES" attributeType="String"/></entity>
            <entity name="Owner" parentEntity="Base"><attribute name="home" optional="YES" attributeType="Composite" \
            composite="Place"/><relationship name="pets" optional="YES" toMany="YES" destinationEntity="Pet" \
            inverseName="owners" inverseEntity="Pet"/><relationship name="visits" optional="YES" toMany="YES" \
            ordered="YES" destinationEntity="Pet" inverseName="hosts" inverseEntity="Pet"/></entity>
            <entity name="Pet"><relationship name="owners" optional="YES" toMany="YES" destinationEntity="Owner" \
            inverseName="pets" inverseEntity="Owner"/><relationship name="hosts" optional="YES" toMany="YES" \
            destinationEntity="Owner" inverseName="visits" inverseEntity="Owner"/></entity>
            <composite name="Place"><attribute name="city" optional="YES" attributeType="String"/><attribute name="code" \
            optional="YES" attributeType="String"/></composite></model>
            """
        let new = old.replacing(" parentEntity=\"Base\"", with: "").replacing(" ordered=\"YES\"", with: "")
            .replacing(#"name="pets" optional="YES" toMany="YES""#, with: #"name="pets" optional="YES" maxCount="1""#)
            .replacing(#"<attribute name="code" optional="YES" attributeType="String"/>"#, with: "")
        let paths = (try write(old, named: "A"), try write(new, named: "B"))
        let outcome = try ModelCommand.Difference.parse([paths.0, paths.1]).outcome()
        let lines = outcome.output.split(separator: "\n")
        func line(_ start: String) -> Substring { lines.first { $0.hasPrefix(start) } ?? "" }
        #expect(outcome.status == .findings)
        #expect(line("~ Owner.pets:").hasSuffix("(links that it has no room for would be discarded)"))
        #expect(line("~ Owner.visits:").hasSuffix("(its order would be lost)"))
        #expect(line("- Owner.home.code:").hasSuffix("removed (its values would be discarded)"))
        #expect(line("- Owner.note:").hasSuffix("removed (its values would be discarded)"))
        #expect(lines.contains("  Owner.note") && !lines.contains { $0.hasPrefix("- Base") })
    }

    @Test(.requiresFixtures("models"))
    func `diff compares versions of one model`() throws {
        let path = try Fixtures.url("models/MigrationExample/MigrationExample.xcdatamodeld").path
        let outcome = try ModelCommand.Difference.parse([path, "--from", "CoreDataMigration_Example"]).outcome()
        #expect(outcome.output.contains("CoreDataMigration_Example →"))
        #expect(outcome.status == .findings || outcome.status == .success)
    }

    @Test(arguments: [
        (
            "mermaid",
            ["classDiagram\n", "    Person <|-- Monk\n", "    Monk \"0..1\" -- \"*\" Monk : pupils / teacher\n"]
        ),
        ("dot", ["digraph model {\n", "\"Monk\" -> \"Person\" [arrowhead=empty]", "arrowtail=tee, arrowhead=crow"]),
        ("svg", ["<svg xmlns=", ">Person (abstract)</text>", ">pupils / teacher (1:n)</text>", "</svg>\n"]),
    ])
    func `graph draws entities and relationships`(form: String, parts: [String]) throws {
        let path = try write(Self.first, named: "A")
        let text = try ModelCommand.Graph.parse([path, "--form", form]).outcome().output
        for part in parts { #expect(text.contains(part), "\(text)") }
    }

    @Test(.requiresFixtures("stores", "more-stores"), arguments: Fixtures.stores)
    func `export writes the model inside a store, with equal hashes`(path: String) throws {
        let store = try InspectedStore(copyOf: path)
        let target = folder.url.appending(path: "Out.xcdatamodeld")
        let outcome = try ModelCommand.Export.parse([store.url.path, target.path]).outcome()
        #expect(outcome.status == .success, "\(outcome.error ?? "")")
        let model = try ManagedObjectModel.load(contentsOf: target)
        let own = try StoreFacts.read(store.url).model(store.url)
        #expect(model.entityVersionHashesByName == own.entityVersionHashesByName)
        let again = try ModelCommand.Export.parse([store.url.path, target.path]).outcome()
        #expect(again.status == .cannotWrite)
    }
}
