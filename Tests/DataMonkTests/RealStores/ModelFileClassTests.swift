#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Classes over the entities of a model file, which lists properties in an order of its own.
    enum Workshop {
        @Entity class Tool: ManagedObject {
            var weight: Double = 0
            var label: String = ""
            var owner: Worker?
        }

        @Entity final class Saw: Tool {
            var teeth: Int64 = 0
            var brand: String?
        }

        @Entity final class Worker: ManagedObject {
            var name: String = ""
            var tools: Set<Tool>
            var age: Int16 = 0
        }

        /// Disagrees with the file about everything.
        @Entity("Worker") final class Stranger: ManagedObject {
            var name: Int = 0
            var tools: [Tool]
            var age: Int16?
            var nickname: String = ""
            var height: String?
        }

        /// Leaves out what subclasses count on.
        @Entity("Tool") class Bare: ManagedObject {
            var weight: Double = 0
        }

        @Entity("Saw") final class BareSaw: Bare {
            var teeth: Int64 = 0
        }
    }

    @Suite struct `Classes over a model file` {
        private static let contents = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Saw" representedClassName="Saw" parentEntity="Tool">
                    <attribute name="brand" optional="YES" attributeType="String"/>
                    <attribute name="finish" optional="YES" attributeType="String"/>
                    <attribute name="teeth" attributeType="Integer 64" defaultValueString="0"/>
                </entity>
                <entity name="Tool" representedClassName=".Tool">
                    <attribute name="label" attributeType="String" defaultValueString="none"/>
                    <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Worker" inverseName="tools" inverseEntity="Worker"/>
                    <attribute name="weight" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
                </entity>
                <entity name="Worker" representedClassName="Workshop.Worker">
                    <attribute name="age" attributeType="Integer 16" defaultValueString="0"/>
                    <attribute name="height" optional="YES" attributeType="Integer 16"/>
                    <attribute name="name" attributeType="String" defaultValueString=""/>
                    <relationship name="tools" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Tool" inverseName="owner" inverseEntity="Tool"/>
                </entity>
            </model>
            """

        private func model(_ classes: ManagedObject.Type...) throws -> ManagedObjectModel {
            return try ModelBundle.model(
                fromContents: Data(Self.contents.utf8), fileName: "contents", classes: classes)
        }

        @Test func `find their properties, whatever the file's order`() throws {
            let model = try model(Workshop.Tool.self, Workshop.Saw.self, Workshop.Worker.self)
            let folder = try TemporaryFolder()
            let stack = Stack(model: model)
            try stack.addDatabaseStore(fileURL: folder.file("store.sqlite"))
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let worker = try context.insert(Workshop.Worker.self)
            worker.name = "Ada"
            worker.age = 36
            let saw = try context.insert(Workshop.Saw.self)
            #expect(saw.label == "none")
            saw.label = "fine"
            saw.weight = 1.5
            saw.teeth = 80
            saw.brand = "Sandvik"
            saw.owner = worker
            try saw.setValue("matt", forKey: "finish")
            try context.save()

            let other = ManagedObjectContext(coordinator: stack.coordinator)
            defer { other.endTurn() }
            let found = try #require(try other.existingObject(with: saw.anyObjectID) as? Workshop.Saw)
            #expect(found.label == "fine" && found.weight == 1.5 && found.teeth == 80 && found.brand == "Sandvik")
            #expect(try found.value(forKey: "finish") == "matt")
            #expect(found.owner?.name == "Ada" && found.owner?.age == 36 && found.owner?.tools == [found])
            #expect(
                try StoreCopy.rows(folder.file("store.sqlite"), "SELECT ZLABEL, ZTEETH, ZFINISH FROM ZTOOL")
                    == [["fine", "80", "matt"]])
        }

        @Test func `keep the file's order in the descriptions`() throws {
            let model = try model(Workshop.Tool.self, Workshop.Saw.self, Workshop.Worker.self)
            let saw = try #require(model.entitiesByName["Saw"])
            #expect(saw.description.properties.map(\.name) == ["brand", "finish", "teeth"])
            #expect(saw.properties.map(\.name) == ["weight", "label", "owner", "teeth", "brand", "finish"])
        }

        @Test func `that disagree with it are told everything at once`() throws {
            let error = try #require(throws: ModelError.self) {
                try ManagedObjectModel {
                    EntityDescription("Tool", managedObjectClass: Workshop.Tool.self) {
                        AttributeDescription("weight", .double, isOptional: true)
                        AttributeDescription("label", .string, isOptional: false, isTransient: true)
                        RelationshipDescription("owner", to: "Worker", inverse: "tools")
                    }
                    EntityDescription("Worker", managedObjectClass: Workshop.Stranger.self) {
                        AttributeDescription("name", .string)
                        AttributeDescription("age", .integer16, isOptional: false)
                        RelationshipDescription("height", to: "Worker")
                        RelationshipDescription("tools", to: "Tool", isToMany: true)
                    }
                }
            }
            let found = error.problems.filter { $0.kind == .propertyMismatch }
            #expect(
                found.map { "\($0.entityName ?? "").\($0.propertyName ?? "")" } == [
                    "Tool.weight", "Tool.label", "Tool.owner", "Worker.name", "Worker.tools", "Worker.nickname",
                    "Worker.height",
                ])
        }

        @Test func `may leave out properties at the end, but not under subclasses`() throws {
            let bare = try ManagedObjectModel {
                EntityDescription("Tool", managedObjectClass: Workshop.Bare.self) {
                    AttributeDescription("label", .string)
                    AttributeDescription("weight", .double, isOptional: false)
                }
            }
            #expect(bare.entities[0].properties.map(\.name) == ["weight", "label"])
            let error = try #require(throws: ModelError.self) {
                try ManagedObjectModel {
                    EntityDescription("Tool", managedObjectClass: Workshop.Bare.self) {
                        AttributeDescription("label", .string)
                        AttributeDescription("weight", .double, isOptional: false)
                    }
                    EntityDescription(
                        "Saw", managedObjectClass: Workshop.BareSaw.self, superentityName: "Tool",
                        properties: [.attribute(AttributeDescription("teeth", .integer64, isOptional: false))])
                }
            }
            #expect(error.problems.map(\.propertyName) == ["label"])
        }

        @Test func `need a class above them where their superentity has properties`() throws {
            let error = try #require(throws: ModelError.self) {
                try ManagedObjectModel {
                    EntityDescription("Thing") { AttributeDescription("label", .string) }
                    EntityDescription(
                        "Tool", managedObjectClass: Workshop.Bare.self, superentityName: "Thing",
                        properties: [.attribute(AttributeDescription("weight", .double, isOptional: false))])
                }
            }
            #expect(error.problems.map(\.kind) == [.propertyMismatch])
        }
    }
#endif
