import DataMonk
import DataMonkCore
import Foundation
import Testing

/// Stacks over models that lie in bundles.
@Suite struct `Models in bundles` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A bundle with a model of one entity.
    private func bundle(_ name: String, model: String) throws -> Bundle {
        let url = folder.file(name)
        let contents = url.appending(path: model)
        try FileManager.default.createDirectory(at: contents, withIntermediateDirectories: true)
        try Data(
            #"<model><entity name="Note" representedClassName="BundledNote"><attribute name="text" attributeType="String"/></entity></model>"#
                .utf8
        ).write(to: contents.appending(path: "contents"))
        return try #require(Bundle(url: url))
    }

    @Test(arguments: ["Shop.xcdatamodel", "Shop.xcdatamodeld/Shop 2.xcdatamodel"])
    func `a model is found by its name`(path: String) throws {
        let stack = try Stack(modelName: "Shop", bundle: bundle("some.bundle", model: path), rootContext: .none)
        #expect(stack.model.entities.map(\.name) == ["Note"])
        #expect(stack.rootContextType == .none)
        #expect(stack.rootContext == nil)
    }

    @Test func `without a name it is the bundle's`() throws {
        #expect(try Stack(bundle: bundle("Shop.bundle", model: "Shop.xcdatamodel")).model.entities.count == 1)
    }

    @Test func `a stack of nothing takes the application's model, and says so where there is none`() throws {
        let error = try #require(throws: ModelError.self) { try Stack() }
        #expect(error.code == .unreadableFile && error.message.contains("Stack(Person.self)"))
        #expect(throws: ModelError.self) { try Stack(rootContext: .none) }
    }

    @Test func `a model without entities is refused`() throws {
        for make in [{ try ManagedObjectModel {} }, { try ManagedObjectModel(classes: []) }] {
            let error = try #require(throws: ModelError.self) { try make() }
            #expect(error.problems.map(\.kind) == [.noEntities] && error.message.contains("Stack(Person.self)"))
        }
    }

    @Test func `entities have the classes that are given`() throws {
        let bundle = try bundle("some.bundle", model: "Shop.xcdatamodel")
        let stack = try Stack(modelName: "Shop", bundle: bundle, classes: [BundledNote.self])
        #expect(stack.model.entities[0].managedObjectClass == BundledNote.self)
    }

    @Test func `a missing model names the places that were looked at`() throws {
        let bundle = try bundle("some.bundle", model: "Shop.xcdatamodel")
        let error = try #require(throws: ModelError.self) { try Stack(modelName: "Shoe", bundle: bundle) }
        #expect(error.code == .unreadableFile)
        for place in ["Shoe.xcdatamodeld, ", "Shoe.xcdatamodel, ", "Shoe.momd, ", "Shoe.mom. "] {
            #expect(error.message.contains("/some.bundle/\(place)"))
        }
        #expect(throws: ModelError.self) { try Stack(modelName: "../some.bundle/Shop", bundle: bundle) }
    }

    @Test func `what Xcode ships is found too`() throws {
        let bundle = try bundle("some.bundle", model: "Other.xcdatamodel")
        let compiled = bundle.bundleURL.appending(path: "Shop.momd")
        try FileManager.default.createDirectory(at: compiled, withIntermediateDirectories: true)
        let model = try ManagedObjectModel {
            EntityDescription(
                "Note", managedObjectClassName: "BundledNote",
                properties: [.attribute(AttributeDescription("text", .string))])
        }
        try ModelArchiveWriter.archive(of: model).write(to: compiled.appending(path: "Shop.mom"))
        let stack = try Stack(modelName: "Shop", bundle: bundle, classes: [BundledNote.self])
        #expect(stack.model.versionChecksum == model.versionChecksum)
        #expect(stack.model.entities[0].managedObjectClass == BundledNote.self)
        try stack.addInMemoryStore()
    }
}

private final class BundledNote: ManagedObject {}
