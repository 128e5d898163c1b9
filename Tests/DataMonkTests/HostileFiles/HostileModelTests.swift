import DataMonk
import Foundation
import Testing

/// Model files that somebody made to do harm: each is refused with an error of the library's, or is a model of which a store
/// can be made, in bounded time and memory.
@Suite(.timeLimit(.minutes(60))) struct `Strange model files` {
    /// The model in a file with these contents; `nil` if it is refused. A model has a store.
    @discardableResult
    private func model(_ contents: String) throws -> ManagedObjectModel? {
        let folder = try TemporaryFolder()
        let version = folder.file("Notes.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data("<model>\(contents)</model>".utf8).write(to: version.appending(path: "contents"))
        do {
            let model = try ManagedObjectModel.load(contentsOf: version)
            let stack = Stack(model: model)
            try stack.addDatabaseStore(fileURL: folder.file("Notes.sqlite"), synchronous: .normal)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            for entity in model.entities.prefix(20) where !entity.isAbstract { _ = try context.insert(entity) }
            do { try context.save() } catch is SaveError {}
            for entity in model.entities.prefix(20) {
                _ = try context.count(FetchRequest(entityName: entity.name))
            }
            context.endTurn()
            try stack.close()
            return model
        } catch  where DamageOutcome.isTyped(error) {
            return nil
        }
    }

    private func entity(_ name: String, parent: String? = nil, _ properties: String = "") -> String {
        let superentity = parent.map { " parentEntity=\"\($0)\"" } ?? ""
        return "<entity name=\"\(name)\"\(superentity)>\(properties)</entity>"
    }

    private func attribute(_ name: String, _ type: String = "String", _ more: String = "") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
    }

    // MARK: Inheritance

    @Test(arguments: [1, 2, 3, 101, 1_000, 4_000]) func `whose entities inherit in a circle are refused`(count: Int)
        throws
    {
        let entities = (0..<count).map { entity("E\($0)", parent: "E\(($0 + 1) % count)") }
        #expect(try model(entities.joined()) == nil)
    }

    @Test(arguments: [4_000, 100_000]) func `whose entities inherit from thousands of others are refused`(
        count: Int
    ) throws {
        let entities = (0..<count).map { entity("E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)") }
        #expect(try model(entities.joined()) == nil)
    }

    @Test func `with a thousand properties in each of thousands of entities are refused`() throws {
        let properties = (0..<1_000).map { attribute("a\($0)") }.joined()
        let entities = (1..<4_000).map { entity("E\($0)", parent: "E0") }
        #expect(try model(entity("E0", properties) + entities.joined()) == nil)
    }

    // MARK: Parts in parts

    @Test(arguments: [1, 2, 20, 60, 5_000]) func `whose composites hold each other twice are refused`(
        depth: Int
    ) throws {
        var composites = "<composite name=\"C0\">\(attribute("x", "Double"))</composite>"
        for level in 1...depth {
            let part = ["a", "b"].map { attribute($0, "Composite", "composite=\"C\(level - 1)\"") }.joined()
            composites += "<composite name=\"C\(level)\">\(part)</composite>"
        }
        let place = attribute("place", "Composite", "composite=\"C\(depth)\"")
        #expect(try model(composites + entity("E", place)) == nil)
    }

    @Test func `whose composite holds itself are refused`() throws {
        let composite = "<composite name=\"C\">\(attribute("c", "Composite", "composite=\"C\""))</composite>"
        #expect(try model(composite + entity("E", attribute("c", "Composite", "composite=\"C\""))) == nil)
    }

    @Test(arguments: [33, 100_000]) func `whose elements are nested deeply are refused`(depth: Int) throws {
        let parts = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        #expect(try model(parts + entity("E")) == nil)
        #expect(try model(String(repeating: "<a>", count: depth)) == nil)
    }

    // MARK: Expressions

    private static let deep = ["(", "NOT (", "-(", "{", "a + (", "SUBQUERY(", "ANY (", "abs:(", "TERNARY(TRUE, ", "a["]

    @Test(arguments: deep, [199, 20_000]) func `whose expressions are nested deeply are refused or used`(
        part: String, depth: Int
    ) throws {
        let closing = part == "{" ? "}" : part == "a[" ? "]" : ")"
        let text = String(repeating: part, count: depth) + "a" + String(repeating: closing, count: depth)
        for format in [text, text + " == 1", String(repeating: part, count: depth)] {
            try model(
                entity(
                    "E",
                    attribute("a") + attribute("d", "Integer 64", "derived=\"YES\" derivationExpression=\"\(format)\""))
            )
            try model(
                entity(
                    "E",
                    attribute("a")
                        + "<fetchIndex name=\"i\" partialIndexPredicate=\"\(format)\"><fetchIndexElement property=\"a\"/></fetchIndex>"
                        + "<fetchIndex name=\"j\"><fetchIndexElement expression=\"\(format)\"/></fetchIndex>"
                        + "<fetchedProperty name=\"f\"><fetchRequest name=\"f\" entity=\"E\" predicateString=\"\(format)\"/></fetchedProperty>"
                ))
            try model(
                entity("E", attribute("a"))
                    + "<fetchRequest name=\"f\" entity=\"E\" predicateString=\"\(format)\"/>")
        }
    }

    @Test(arguments: ["d", "d + 1", "e", "upper.d", "uppers.@sum.d", "uppers.@count", "canonical:(d)"])
    func `whose derivations lead to themselves are refused, or have a store`(derivation: String) throws {
        try model(
            entity(
                "E",
                attribute("d", "Integer 64", "derived=\"YES\" derivationExpression=\"\(derivation)\"")
                    + attribute("e", "Integer 64", "derived=\"YES\" derivationExpression=\"d\"")
                    + "<relationship name=\"upper\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"E\" inverseName=\"uppers\"/>"
                    + "<relationship name=\"uppers\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"E\" inverseName=\"upper\"/>"
            ))
    }

    @Test(arguments: ["(a+)+b", "((a{1,100}){1,100}){1,100}", "[", "\\", "(?:a?){500}a{500}"])
    func `whose regular expressions explode are refused, or used within limits`(pattern: String) throws {
        try model(
            entity(
                "E",
                attribute(
                    "a", "String",
                    "regularExpressionString=\"\(pattern)\" defaultValueString=\"\(String(repeating: "a", count: 500))\""
                )))
    }

    // MARK: Numbers and names

    private static let numbers = [
        "0", "-1", "32768", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e400", "-1e400",
        "1e-400", "nan", "inf", "-0.0", "0x10", "", " ", "1e99999999999", String(repeating: "9", count: 5_000),
        "\u{661}", "1_000",
    ]

    @Test(arguments: numbers) func `with numbers out of every range are refused, or have a store`(text: String) throws {
        for key in ["defaultValueString", "minValueString", "maxValueString", "defaultDateTimeInterval"] {
            for type in ["Integer 16", "Decimal", "Double", "String", "Date"] {
                try model(entity("E", attribute("a", type, "\(key)=\"\(text)\"")))
            }
        }
        for key in ["minCount", "maxCount"] {
            for toMany in ["YES", "NO"] {
                let more =
                    "optional=\"YES\" toMany=\"\(toMany)\" \(key)=\"\(text)\" destinationEntity=\"E\" inverseName=\"r\""
                try model(entity("E", "<relationship name=\"r\" \(more)/>"))
            }
        }
        for key in ["fetchLimit", "fetchBatchSize", "resultType"] {
            try model(entity("E") + "<fetchRequest name=\"f\" entity=\"E\" \(key)=\"\(text)\"/>")
        }
    }

    private static let names = [
        "", " ", "a b", "a.b", "../a", "a'b", "a&quot;b", "a;DROP TABLE Z_METADATA", "sqlite_master", "Z_PK",
        "Z_METADATA", "_METADATA",
        "METADATA", "ent", "pk", "objectID", "self", "SELF", "&#9;", "&#0;", "\u{301}", "\u{202E}a", "select", "1a",
        String(repeating: "n", count: 4_000), "É", "\u{1F469}\u{200D}\u{1F680}", "_", "a-b", "a`b", "[a]",
    ]

    @Test(arguments: names) func `with names of any kind are refused, or have a store`(name: String) throws {
        try model(entity(name))
        try model(entity("E", attribute(name)))
        try model(entity("E", "<relationship name=\"\(name)\" optional=\"YES\" destinationEntity=\"E\"/>"))
        try model(entity("E", parent: name))
        try model(entity("E", attribute("a") + attribute(name.uppercased()) + attribute(name.lowercased())))
        try model(
            entity(
                "E",
                attribute("a") + "<fetchIndex name=\"\(name)\"><fetchIndexElement property=\"a\"/></fetchIndex>"))
        try model(entity("E") + "<configuration name=\"\(name)\"><memberEntity name=\"\(name)\"/></configuration>")
        try model(entity("E") + "<fetchRequest name=\"\(name)\" entity=\"\(name)\"/>")
        try model(entity("E", attribute("a", "Composite", "composite=\"\(name)\"")))
    }

    // MARK: XML

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY b \"c\"><!ENTITY d \"&b;&b;\">]>", "&b;", "&#xD800;", "&#x110000;", "&#99999999999;",
        "&#;",
        "<?xml", "<!--", "<![CDATA[", "<a b=\"", "<a b='c' b='d'/>", "</a>", "<a></b>", "<>", "< a/>", "<a/ >", "\0",
        "<entity/>", "<entity name=\"E\"><attribute/></entity>", "<a xmlns:b=\"c\" b:d=\"e\"/>",
    ])
    func `of bad XML are refused, or of no other model`(text: String) throws {
        if let model = try model(text + entity("E")) { #expect(model.entities.map(\.name) == ["E"]) }
    }

    @Test(arguments: 0..<8) func `with a hundred thousand parts are refused or read`(kind: Int) throws {
        let count = 100_000
        switch kind {
        case 0: try model(entity("E", String(repeating: "<attribute name=\"a\"/>", count: count)))
        case 1: try model(entity("E", (0..<count).map { "<attribute name=\"a\($0)\"/>" }.joined()))
        case 2: try model((0..<count).map { "<entity name=\"E\($0)\"/>" }.joined())
        case 3: try model((0..<1_000).map { "<entity name=\"E\($0)\" parentEntity=\"F\($0)\"/>" }.joined())
        case 4: try model(entity("E") + String(repeating: "<fetchRequest name=\"f\" entity=\"X\"/>", count: count))
        case 5: try model("<a " + (0..<count).map { "b\($0)=\"\"" }.joined(separator: " ") + "/>" + entity("E"))
        case 6: try model(entity("E") + String(repeating: "&#65;", count: count))
        default: try model(String(repeating: "<", count: count))
        }
    }
}
