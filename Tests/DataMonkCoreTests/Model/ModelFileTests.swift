import DataMonkCore
import DataMonkFixtures
import Foundation
import Testing

struct ModelFileTests {
    /// A folder that goes away with the test.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }  // The system empties its folder anyway.

        func write(_ text: String, to path: String) throws {
            let file = url.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    private func load(_ body: String) throws -> ManagedObjectModel {
        let text = "<model userDefinedModelVersionIdentifier=\"7\">\n\(body)\n</model>"
        return try ModelBundle.model(fromContents: Data(text.utf8), fileName: "M.xcdatamodel/contents")
    }

    private func message(_ body: String) -> String {
        let error = #expect(throws: ModelError.self) { try load(body) }
        #expect(error?.code == .invalidFile)
        return error?.message ?? ""
    }

    @Test(
        .requiresFixtures("models", "stores"),
        arguments: ["models", "stores"])
    func `every model file of the references loads`(folder: String) throws {
        for path in Fixtures.files(in: folder, endingIn: ".xcdatamodel/contents") {
            let place = "\(folder)/\(path)"
            let model = try ManagedObjectModel.load(contentsOf: Fixtures.url(place))
            #expect(!model.entities.isEmpty, "\(path)")
        }
    }

    @Test(.requiresFixtures("models"))
    func `a folder of versions knows them all, and the current one`() throws {
        let bundle = try ModelBundle(contentsOf: Fixtures.url("models/everything/model.xcdatamodeld"))
        #expect(bundle.versionNames == ["model", "model 2"])
        #expect(bundle.currentVersionName == "model 2")
        #expect(try bundle.model().entitiesByName["NewInVersion2"] != nil)
        #expect(try bundle.model(versionName: "model").entitiesByName["NewInVersion2"] == nil)
        let error = #expect(throws: ModelError.self) { try bundle.model(versionName: "model 3") }
        #expect(error?.message.contains("model, model 2") == true)
    }

    @Test func `an attribute is read with its type, default and bounds`() throws {
        let model = try load(
            """
            <entity name="E" representedClassName=".E">
              <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="3" minValueString="1"/>
              <attribute name="born" attributeType="Date" defaultDateTimeInterval="60" later="unknown"/>
              <attribute name="done" attributeType="Boolean" defaultValueString="YES"/>
              <attribute name="name" attributeType="String" maxValueString="9"><userInfo><entry key="k" value="v"/></userInfo></attribute>
              <attribute name="memo" transient="YES"/>
            </entity>
            """)
        let entity = try #require(model.entitiesByName["E"])
        #expect(model.versionIdentifiers == ["7"])
        #expect(entity.attribute(named: "age")?.description.defaultValue == 3)
        #expect(entity.attribute(named: "age")?.description.minimum == 1)
        #expect(entity.attribute(named: "age")?.isOptional == true)
        #expect(entity.attribute(named: "born")?.defaultValue == .date(Date(timeIntervalSinceReferenceDate: 60)))
        #expect(entity.attribute(named: "done")?.defaultValue == true)
        #expect(entity.attribute(named: "name")?.description.maximum == 9)
        #expect(entity.attribute(named: "name")?.description.userInfo == ["k": "v"])
        #expect(entity.attribute(named: "memo")?.type == .undefined)
    }

    @Test func `relationships, constraints, indexes, templates and configurations are read`() throws {
        let model = try load(
            """
            <entity name="A">
              <attribute name="x" attributeType="String"/>
              <relationship name="bs" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="B" inverseName="a" inverseEntity="B"/>
              <fetchIndex name="byX"><fetchIndexElement property="x" type="Binary" order="descending"/></fetchIndex>
              <uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint></uniquenessConstraints>
            </entity>
            <entity name="B" isAbstract="YES">
              <relationship name="a" maxCount="1" destinationEntity="A" inverseName="bs" inverseEntity="A"/>
            </entity>
            <fetchRequest name="byX" entity="A" predicateString="x == $X" fetchLimit="3"/>
            <configuration name="Local"><memberEntity name="A"/></configuration>
            """)
        let bs = try #require(model.entitiesByName["A"]?.relationship(named: "bs"))
        #expect(bs.isToMany && bs.isOrdered && bs.deleteRule == .cascade && bs.maxCount == 0)
        #expect(bs.inverse?.name == "a")
        #expect(model.entitiesByName["A"]?.description.uniquenessConstraints == [["x"]])
        #expect(model.entitiesByName["A"]?.description.indexes.first?.elements.first?.isAscending == false)
        #expect(model.entitiesByName["B"]?.isAbstract == true)
        #expect(model.fetchRequestTemplates["byX"]?.predicateFormat == "x == $X")
        #expect(model.fetchRequestTemplates["byX"]?.fetchLimit == 3)
        #expect(model.configurations == ["Local": ["A"]])
    }

    @Test func `a composite is found by its name`() throws {
        let model = try load(
            """
            <entity name="A"><attribute name="home" attributeType="Composite" composite="Address"/></entity>
            <composite name="Address"><attribute name="city" attributeType="String"/></composite>
            """)
        #expect(model.entitiesByName["A"]?.attribute(named: "home")?.description.elements.map(\.name) == ["city"])
    }

    @Test(arguments: [
        ("<entity/>", "has no attribute name"),
        ("<entity name=\"A\"><attribute name=\"x\" attributeType=\"Text\"/></entity>", "Text is not an attribute type"),
        ("<entity name=\"A\" isAbstract=\"MAYBE\"/>", "neither YES nor NO"),
        ("<entity name=\"A\"><relationship name=\"x\" minCount=\"few\"/></entity>", "minCount is not an integer"),
        ("<entity name=\"A\"><relationship name=\"x\" deletionRule=\"Keep\"/></entity>", "Keep is not a delete rule"),
        (
            "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Double\" defaultValueString=\"a\"/></entity>",
            "not a value"
        ),
        (
            "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Date\" defaultDateTimeInterval=\"a\"/></entity>",
            "number"
        ),
        (
            "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"C\"/></entity>",
            "no composite"
        ),
        ("<entity name=\"A\"><fetchedProperty name=\"x\"/></entity>", "has no <fetchRequest>"),
        ("<fetchRequest name=\"x\" entity=\"A\" resultType=\"9\"/>", "9 is not a result type"),
        ("<configuration name=\"x\"/><configuration name=\"x\"/>", "two configurations"),
    ])
    func `what cannot be understood is named with its place`(body: String, words: String) {
        let message = message(body)
        #expect(message.contains(words))
        #expect(message.contains(#/^M.xcdatamodel/contents:2:\d+: /#))
    }

    @Test(arguments: [
        "<entity name=\"A\">", "<entity name=\"A\"></other>", "&undefined;", "&#0;", "\u{0}", "<entity name=1/>",
        "<!-- ", "</model><model>", "<a b=\"1\" b=\"2\"/>",
    ])
    func `a file that is no XML is refused with its place`(body: String) {
        #expect(message(body).contains("not well-formed XML"))
    }

    @Test func `a document type is refused`() {
        #expect(message("<!DOCTYPE model [<!ENTITY a \"b\">]>").contains("document type"))
    }

    @Test func `a file deeper than any model is refused`() {
        let error = #expect(throws: ModelError.self) { try load(String(repeating: "<a>", count: 100_000)) }
        #expect(error?.code == .fileTooLarge)
    }

    @Test func `a folder without a model and a missing one are refused`() throws {
        let folder = try Folder()
        let empty = #expect(throws: ModelError.self) { try ModelBundle(contentsOf: folder.url) }
        #expect(empty?.code == .invalidFile)
        let missing = #expect(throws: ModelError.self) {
            try ModelBundle(contentsOf: folder.url.appending(path: "none"))
        }
        #expect(missing?.code == .unreadableFile)
    }

    @Test(arguments: [
        "no list", "<plist><dict><key>_XCCurrentVersionName</key><string>../M 1.xcdatamodel</string></dict></plist>",
    ])
    func `a current version that is not there is refused`(list: String) throws {
        let folder = try Folder()
        for version in ["M 1", "M 10", "M 2"] {
            try folder.write("<model/>", to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
        }
        let bundle = folder.url.appending(path: "M.xcdatamodeld")
        #expect(throws: ModelError.self) { try ModelBundle(contentsOf: bundle) }
        try folder.write(list, to: "M.xcdatamodeld/.xccurrentversion")
        #expect(throws: ModelError.self) { try ModelBundle(contentsOf: bundle) }
    }
}
