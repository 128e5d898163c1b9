import DataMonkCore
import DataMonkFixtures
import DataMonkTesting
import Foundation
import Testing

struct VersionHashTests {
    private func user() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("User") {
                AttributeDescription("name", .string, isOptional: false)
                AttributeDescription("petName", .string)
            }
        }
    }

    @Test func `an entity's hash is Core Data's`() throws {
        let hash = try #require(try user().entityVersionHashesByName["User"])
        let text = hash.map { String(format: "%02x", $0) }.joined()
        #expect(text == "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798")
    }

    @Test func `the checksum is Core Data's`() throws {
        #expect(try user().versionChecksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
    }

    @Test func `the digest is Core Data's`() throws {
        let digest = "0KLB/FnL8roMcgeszeCxnPnvYqnn4VzB2DpFP6csqrDKzLB6fyG5rrVfjY5DtnQxx4355oWuKFublPf2Jo1UWg=="
        #expect(try user().versionHashesDigest == digest)
    }

    @Test func `what the store does not see leaves the hash alone`() throws {
        let other = try ManagedObjectModel {
            EntityDescription("User", indexes: [FetchIndexDescription("byName", on: ["name"])], userInfo: ["a": "b"]) {
                AttributeDescription("petName", .string, defaultValue: "Rex", maximum: 10, renamingIdentifier: "pet")
                AttributeDescription("name", .string, isOptional: false, regularExpression: "[a-z]+")
                AttributeDescription("age", .integer16, isTransient: true)
            }
        }
        #expect(try other.entityVersionHashesByName == user().entityVersionHashesByName)
    }

    @Test(arguments: [
        AttributeDescription("name", .string, isOptional: true), AttributeDescription("name", .uri, isOptional: false),
        AttributeDescription("name", .string, isOptional: false, versionHashModifier: "2"),
        AttributeDescription("name", .string, isOptional: false, preservesValueInHistoryOnDeletion: true),
    ])
    func `what the store sees changes the hash`(name: AttributeDescription) throws {
        let other = try ManagedObjectModel {
            EntityDescription("User") {
                name
                AttributeDescription("petName", .string)
            }
        }
        #expect(try other.entityVersionHashesByName != user().entityVersionHashesByName)
    }

    @Test(arguments: [
        AttributeDescription("name", .string), AttributeDescription("name", .uri, isOptional: false),
        AttributeDescription("name", .string, isOptional: false, versionHashModifier: "2"),
        AttributeDescription("name", .string, isOptional: false, preservesValueInHistoryOnDeletion: true),
        AttributeDescription("name", .binary, isOptional: false, allowsExternalBinaryDataStorage: true),
        AttributeDescription("name", .date, derivationExpression: "now()"),
    ])
    func `another entity's attribute of the same name leaves the hash alone`(name: AttributeDescription) throws {
        let user = EntityDescription("User", properties: [.attribute(name)])
        let other = EntityDescription(
            "Other", properties: [.attribute(AttributeDescription("name", .string, isOptional: false))])
        let alone = try ManagedObjectModel(entities: [user])
        let together = try ManagedObjectModel(entities: [other, user])
        #expect(together.entityVersionHashesByName["User"] == alone.entityVersionHashesByName["User"])
    }

    @Test(
        .requiresFixtures("stores"),
        arguments: [("SampleModel", ["SampleModel_V1", "SampleModel_V2"]), ("SampleModel3", ["SampleModel3_V1"])])
    func `hashes equal those of Apple's model compiler`(compiled: String, versions: [String]) throws {
        let data = try Data(contentsOf: Fixtures.store("CoreDataPlus/\(compiled).momd.VersionInfo.plist"))
        let list = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        let hashes = try #require(list["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
        for version in versions {
            let file = try Fixtures.url("stores/CoreDataPlus/\(version).xcdatamodel")
            let model = try ManagedObjectModel.load(contentsOf: file)
            #expect(hashes.values.contains(model.entityVersionHashesByName), "\(version)")
        }
    }
}
