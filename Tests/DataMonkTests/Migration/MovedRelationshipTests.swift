import DataMonk
import DataMonkSQLite
import Foundation
import Testing

/// Relationships that move between an entity and its sub-entities, where two become one or one becomes two.
@Suite struct `Moving relationships in the tree` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    enum Kind: CaseIterable {
        case oneToMany, ordered, oneToOne, manyToMany, toManyAlone, toOneAlone

        var isToMany: Bool { self != .oneToOne && self != .toOneAlone }
        var hasInverse: Bool { self != .toManyAlone && self != .toOneAlone }

        fileprivate func items(inverse: String) -> RelationshipDescription {
            RelationshipDescription(
                "items", to: "Item", inverse: hasInverse ? inverse : nil, isToMany: isToMany,
                isOrdered: self == .ordered)
        }

        fileprivate func owner(_ name: String, of entity: String, isOptional: Bool = true) -> RelationshipDescription {
            RelationshipDescription(
                name, to: entity, inverse: "items", isToMany: self == .manyToMany, isOptional: isOptional)
        }
    }

    /// Albums and boxes are shelved; large boxes are boxes. Either all of them have items, or albums and boxes each have.
    private func model(
        _ kind: Kind, together: Bool, boxes: Bool = true, requiresBox: Bool = false
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Shelved", isAbstract: true) {
                AttributeDescription("name", .string)
                if together { kind.items(inverse: "owner") }
            }
            EntityDescription("Album", superentityName: "Shelved") {
                if !together { kind.items(inverse: "album") }
            }
            EntityDescription("Box", superentityName: "Shelved") {
                if !together, boxes { kind.items(inverse: "box") }
            }
            EntityDescription("LargeBox", superentityName: "Box", properties: [])
            EntityDescription("Item") {
                AttributeDescription("name", .string)
                if kind.hasInverse {
                    if together {
                        kind.owner("owner", of: "Shelved")
                    } else {
                        kind.owner("album", of: "Album")
                        if boxes { kind.owner("box", of: "Box", isOptional: !requiresBox) }
                    }
                }
            }
        }
    }

    /// The items of Album 1, Box 2 and LargeBox 3, by their keys.
    private func write(_ model: ManagedObjectModel, _ links: [[Int]]) throws {
        try stage.write(model) { context in
            let owners = try ["Album", "Box", "LargeBox"].map { try context.insert($0) }
            let items = try (0..<4).map { _ in try context.insert("Item") }
            for (owner, links) in zip(owners, links) {
                let members = links.map { items[$0 - 1] }
                if owner.entity.relationships.first(where: { $0.name == "items" })?.isToMany == true {
                    try owner.setObjects(members, forKey: "items")
                } else if let member = members.first {
                    try owner.setValue(.object(member.anyObjectID), forKey: "items")
                }
            }
        }
    }

    private static let owners = ["Album/1", "Box/2", "LargeBox/3"]

    private static func text(_ links: [Int]) -> String { links.map { "Item/\($0)" }.joined(separator: " ") }

    /// The text of what has an item, among owners of some entities.
    private static func owner(of item: Int, in links: [[Int]], _ places: Range<Int>) -> String {
        places.filter { links[$0].contains(item) }.map { owners[$0] }.joined(separator: " ")
    }

    private func links(of kind: Kind) -> [[Int]] {
        switch kind {
        case .ordered: [[2, 1], [4], [3]]
        case .oneToMany, .toManyAlone: [[1, 2], [4], [3]]
        case .oneToOne, .toOneAlone: [[2], [4], [3]]
        case .manyToMany: [[1, 2], [2, 4], [1, 3]]
        }
    }

    @Test(arguments: Kind.allCases) func `up, all links stay`(kind: Kind) throws {
        let links = links(of: kind)
        try write(model(kind, together: false), links)
        let found = try stage.migrate(to: model(kind, together: true), discarding: [])
        for (owner, links) in zip(Self.owners, links) { #expect(found[owner]["items"] == Self.text(links)) }
        if !kind.hasInverse { return }
        for item in 1...4 { #expect(found["Item/\(item)"]["owner"] == Self.owner(of: item, in: links, 0..<3)) }
    }

    @Test(arguments: Kind.allCases) func `down, each link stays where its owner is`(kind: Kind) throws {
        let links = links(of: kind)
        try write(model(kind, together: true), links)
        let found = try stage.migrate(to: model(kind, together: false), discarding: [])
        for (owner, links) in zip(Self.owners, links) { #expect(found[owner]["items"] == Self.text(links)) }
        if !kind.hasInverse { return }
        for item in 1...4 {
            #expect(found["Item/\(item)"]["album"] == Self.owner(of: item, in: links, 0..<1))
            #expect(found["Item/\(item)"]["box"] == Self.owner(of: item, in: links, 1..<3))
        }
    }

    @Test(arguments: [Kind.oneToMany, .ordered, .oneToOne, .toManyAlone])
    func `up, an item with two owners is counted`(kind: Kind) throws {
        let links = kind == .oneToOne ? [[2], [2], [3]] : [[1, 2], [2, 4], [3]]
        try write(model(kind, together: false), links)
        let together = try model(kind, together: true)
        let error = try stage.refusal(together, discarding: [])
        #expect(error.code == .wouldDiscard && error.problems.map(\.count) == [1], "\(error)")
        let found = try stage.migrate(to: together, discarding: .everything)
        #expect(found["Album/1"]["items"] == Self.text(links[0]))
        #expect(found["Box/2"]["items"] == Self.text(links[1].filter { !links[0].contains($0) }))
        if kind.hasInverse { #expect(found["Item/2"]["owner"] == "Album/1") }
    }

    @Test(arguments: [Kind.oneToMany, .ordered]) func `up, a key that dangles is no second owner`(kind: Kind) throws {
        try write(model(kind, together: false), [[1], [2], [3]])
        let connection = try SQLiteConnection(fileURL: stage.url, options: SQLiteOptions(access: .readWrite))
        try connection.execute("UPDATE ZITEM SET ZALBUM = 99 WHERE Z_PK IN (2, 4)")
        try connection.close()
        let found = try stage.migrate(to: model(kind, together: true), discarding: [])
        #expect((1...4).map { found["Item/\($0)"]["owner"] } == ["Album/1", "Box/2", "LargeBox/3", ""])
    }

    @Test(arguments: [Kind.oneToMany, .ordered, .oneToOne, .manyToMany])
    func `down, links of owners without the relationship are counted, and go`(kind: Kind) throws {
        let links = links(of: kind)
        try write(model(kind, together: true), links)
        let new = try model(kind, together: false, boxes: false)
        let error = try stage.refusal(new, discarding: [])
        let count = links[1].count + links[2].count
        #expect(error.code == .wouldDiscard && error.problems.map(\.count) == [count], "\(error)")
        let found = try stage.migrate(to: new, discarding: .property("Shelved", "items"))
        #expect(found["Album/1"]["items"] == Self.text(links[0]))
        for item in 1...4 { #expect(found["Item/\(item)"]["album"] == Self.owner(of: item, in: links, 0..<1)) }
    }

    // MARK: Added for a sub-entity

    /// The model with another entity, so that it is another version.
    private func next(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            entities: model.entities.map(\.description) + [EntityDescription("Room", properties: [])])
    }

    @Test(arguments: [Kind.oneToMany, .ordered, .oneToOne, .manyToMany])
    func `added for a sub-entity, links stay that the other side has`(kind: Kind) throws {
        let links = links(of: kind)
        let old = try model(kind, together: true)
        try write(old, links)
        let new = try next(old)
        let discarded = try stage.open(new, mapping: [.transform("Box", [.added("items")])])
        let found = try stage.contents(new)
        for (owner, links) in zip(Self.owners, links) { #expect(found[owner]["items"] == Self.text(links)) }
        for item in 1...4 { #expect(found["Item/\(item)"]["owner"] == Self.owner(of: item, in: links, 0..<3)) }
        #expect(discarded.isEmpty)
    }

    @Test func `added for sub-entities on both sides, only links between those go, and are counted`() throws {
        let old = try ManagedObjectModel {
            EntityDescription("Shelf") {
                RelationshipDescription("items", to: "Item", inverse: "shelves", isToMany: true)
            }
            EntityDescription("Box", superentityName: "Shelf", properties: [])
            EntityDescription("Item") {
                RelationshipDescription("shelves", to: "Shelf", inverse: "items", isToMany: true)
            }
            EntityDescription("Book", superentityName: "Item", properties: [])
        }
        try stage.write(old) { context in
            let items = [try context.insert("Item"), try context.insert("Book")]
            for name in ["Shelf", "Box"] { try context.insert(name).setObjects(items, forKey: "items") }
        }
        let new = try next(old)
        let mapping: [EntityMapping] = [
            .transform("Box", [.added("items")]), .transform("Book", [.added("shelves")]),
        ]
        let error = try #require(throws: MigrationError.self) { try stage.open(new, mapping: mapping) }
        #expect(error.problems.map(\.count) == [1] && error.problems.first?.kind == .discardedLinks)
        try stage.open(new, mapping: mapping, discarding: .everything)
        let found = try stage.contents(new)
        #expect(found["Shelf/1"]["items"] == "Book/2 Item/1" && found["Box/2"]["items"] == "Item/1")
        #expect(found["Item/1"]["shelves"] == "Box/2 Shelf/1" && found["Book/2"]["shelves"] == "Shelf/1")
    }

    @Test func `added for a sub-entity, a relationship that is its own inverse keeps both sides`() throws {
        let old = try ManagedObjectModel {
            EntityDescription("Person") {
                RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)
            }
            EntityDescription("Guest", superentityName: "Person", properties: [])
        }
        try stage.write(old) { context in
            let person = try context.insert("Person")
            let guests = try (0..<2).map { _ in try context.insert("Guest") }
            try guests[0].setObjects([person, guests[1]], forKey: "friends")
        }
        let new = try next(old)
        let mapping: [EntityMapping] = [.transform("Guest", [.added("friends")])]
        let error = try #require(throws: MigrationError.self) { try stage.open(new, mapping: mapping) }
        // Each end has the link.
        #expect(error.problems.map(\.count) == [2])
        try stage.open(new, mapping: mapping, discarding: .everything)
        let found = try stage.contents(new)
        #expect(found["Person/1"]["friends"] == "Guest/2" && found["Guest/2"]["friends"] == "Person/1")
        #expect(found["Guest/3"]["friends"] == "")
    }

    @Test func `down, an item without a required owner refuses the migration`() throws {
        try write(model(.oneToMany, together: true), links(of: .oneToMany))
        let error = try stage.refusal(model(.oneToMany, together: false, requiresBox: true), discarding: [])
        #expect(error.code == .constraintViolation && error.propertyName == "box", "\(error)")
    }

    // MARK: Order

    @Test(arguments: [false, true])
    func `up, the orders on the other side become one`(isToMany: Bool) throws {
        func owners(_ name: String, of entity: String, _ inverse: String = "items") -> RelationshipDescription {
            RelationshipDescription(name, to: entity, inverse: inverse, isToMany: true, isOrdered: true)
        }
        func items(_ inverse: String) -> RelationshipDescription {
            RelationshipDescription("items", to: "Item", inverse: inverse, isToMany: isToMany)
        }
        func model(together: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Shelved", isAbstract: true) { if together { items("owners") } }
                EntityDescription("Album", superentityName: "Shelved") { if !together { items("albums") } }
                EntityDescription("Box", superentityName: "Shelved") { if !together { items("boxes") } }
                EntityDescription("Item") {
                    if together { owners("owners", of: "Shelved") }
                    if !together {
                        owners("albums", of: "Album")
                        owners("boxes", of: "Box")
                    }
                }
            }
        }
        try stage.write(model(together: false)) { context in
            let albums = try (0..<2).map { _ in try context.insert("Album") }
            let boxes = try (0..<2).map { _ in try context.insert("Box") }
            let item = try context.insert("Item")
            try item.setObjects(albums.reversed(), forKey: "albums")
            try item.setObjects(boxes.reversed(), forKey: "boxes")
        }
        let found = try stage.migrate(to: model(together: true), discarding: [])
        #expect(found["Item/1"]["owners"] == "Album/2 Box/4 Album/1 Box/3")
        #expect(found["Album/1"]["items"] == "Item/1" && found["Box/4"]["items"] == "Item/1")
    }

    private func library(
        _ name: String?, isOrdered: Bool = true, inverse: String = "library"
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Library") {
                AttributeDescription("name", .string)
                if let name {
                    RelationshipDescription(
                        name, to: "Book", inverse: inverse, isToMany: true, isOrdered: isOrdered)
                }
            }
            EntityDescription("Book") {
                AttributeDescription("title", .string)
                RelationshipDescription(inverse, to: "Library", inverse: name)
            }
        }
    }

    private func writeLibrary() throws {
        try stage.write(library("books")) { context in
            let library = try context.insert("Library")
            let books = try (0..<3).map { _ in try context.insert("Book") }
            try library.setObjects([books[2], books[0], books[1]], forKey: "books")
        }
    }

    @Test func `an order stays where its relationship is found by the inverse alone`() throws {
        try writeLibrary()
        let found = try stage.migrate(to: library("volumes"), discarding: [])
        #expect(found["Library/1"]["volumes"] == "Book/3 Book/1 Book/2")
    }

    @Test(arguments: [nil, "volumes"])
    func `an order that goes while its links stay is told`(name: String?) throws {
        try writeLibrary()
        let stack = Stack(model: try library(name, isOrdered: false))
        let reported = Locked<[MigrationError]>([])
        stack.onError { error in reported.withLock { $0 += [error as? MigrationError].compactMap(\.self) } }
        try stack.addDatabaseStore(fileURL: stage.url, synchronous: .normal)
        try stack.close()
        let errors = reported.withLock { $0 }
        #expect(errors.map(\.code) == [.discarded] && errors.first?.propertyName == "books", "\(errors)")
    }
}
