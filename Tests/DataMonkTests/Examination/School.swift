import DataMonk
import Foundation
import Testing

/// A store with each kind of column, relationship, index, trigger and file, which tests damage by SQL.
struct School {
    static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Party", isAbstract: true) {
                AttributeDescription("name", .string)
                RelationshipDescription("guarded", to: "Locker", inverse: "guardian", isToMany: true)
            }
            EntityDescription("Company", superentityName: "Party") {
                RelationshipDescription("staff", to: "Person", inverse: "employer", isToMany: true, isOrdered: true)
            }
            EntityDescription("Person", superentityName: "Party", uniquenessConstraints: [["code"]]) {
                AttributeDescription("age", .integer16)
                AttributeDescription("height", .double)
                AttributeDescription("badge", .uuid)
                AttributeDescription("code", .string)
                AttributeDescription("portrait", .binary, allowsExternalBinaryDataStorage: true)
                RelationshipDescription("employer", to: "Company", inverse: "staff")
                RelationshipDescription("locker", to: "Locker", inverse: "owner")
                RelationshipDescription("clubs", to: "Club", inverse: "members", isToMany: true)
            }
            EntityDescription("Club") {
                AttributeDescription("title", .string)
                RelationshipDescription("members", to: "Person", inverse: "clubs", isToMany: true, isOrdered: true)
            }
            EntityDescription("Locker") {
                AttributeDescription("number", .integer32)
                RelationshipDescription("owner", to: "Person", inverse: "locker")
                RelationshipDescription("guardian", to: "Party", inverse: "guarded")
            }
            EntityDescription("Shelf") {
                AttributeDescription("title", .string)
                RelationshipDescription("books", to: "Book", isToMany: true, isOrdered: true)
            }
            EntityDescription("Book") {
                AttributeDescription("title", .string)
                AttributeDescription("pageCount", .integer32, derivationExpression: "pages.@count")
                RelationshipDescription("pages", to: "Page", inverse: "book", isToMany: true)
            }
            EntityDescription("Page") {
                AttributeDescription("text", .string)
                RelationshipDescription("book", to: "Book", inverse: "pages")
            }
        }
    }

    /// A filled store, made once.
    private static let template = Result { try makeTemplate() }

    private let folder: TemporaryFolder
    var url: URL { folder.file("School.sqlite") }
    var dataFolder: URL { folder.url.appending(path: ".School_SUPPORT/_EXTERNAL_DATA") }

    /// A copy of the filled store.
    init() throws {
        let template = try Self.template.get()
        folder = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: template.url.path) {
            try FileManager.default.copyItem(at: template.file(name), to: folder.file(name))
        }
    }

    func file(_ name: String) -> URL { folder.file(name) }

    /// The rows that the `sqlite3` command selects.
    @discardableResult
    func rows(_ sql: String) throws -> [[String]] { try StoreCopy.rows(url, sql) }

    /// The names of the files in the store's folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    static func openStack(at url: URL) throws -> Stack {
        let stack = Stack(model: try model.get())
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal, tracksHistory: true)
        return stack
    }

    // MARK: Contents

    private static func makeTemplate() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let stack = try openStack(at: folder.file("School.sqlite"))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let companies = try ["Acme", "Bolt"].map { try context.insert("Company", ["name": .string($0)]) }
        let clubs = try ["Chess", "Choir", "Empty"].map { try context.insert("Club", ["title": .string($0)]) }
        for (number, name) in ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"].enumerated() {
            let person = try context.insert(
                "Person",
                [
                    "name": .string(name), "age": .int(Int64(20 + number)), "height": .double(1.5),
                    "badge": .uuid(UUID()), "code": .string("code \(number)"),
                    "portrait": .data(PhotoShop.bytes(number < 2 ? 200_000 + number : 10)),
                    "employer": .object(companies[number % 2].anyObjectID),
                ])
            if number == 5 { continue }
            try person.setObjects(Array(clubs.prefix(2)), forKey: "clubs")
            guard number < 4 else { continue }
            try context.insert(
                "Locker",
                [
                    "number": .int(Int64(number)), "owner": .object(person.anyObjectID),
                    "guardian": .object((number == 0 ? companies[0] : person).anyObjectID),
                ])
        }
        let shelf = try context.insert("Shelf", ["title": "wide"])
        let books = try (0..<3).map { try context.insert("Book", ["title": .string("Book \($0)")]) }
        try shelf.setObjects(books, forKey: "books")
        for number in 0..<4 {
            try context.insert(
                "Page", ["text": .string("page \(number)"), "book": .object(books[number % 2].anyObjectID)])
        }
        try context.save()
        context.endTurn()
        try stack.close()
        return folder
    }

    // MARK: Metadata

    /// Changes the property list in the store.
    func changeMetadata(_ change: (inout [String: Any]) -> Void) throws {
        let hexadecimal = try #require(rows("SELECT hex(Z_PLIST) FROM Z_METADATA").first?.first)
        let digits = Array(hexadecimal)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        var values = try #require(list as? [String: Any])
        change(&values)
        let changed = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        try rows("UPDATE Z_METADATA SET Z_PLIST = x'\(changed.map { String(format: "%02x", $0) }.joined())'")
    }

    // MARK: Pages

    /// Overwrites a page of the file.
    func overwritePage(_ number: Int) throws {
        try DamagedFile.write(Data(repeating: 0xEE, count: 4_096), at: (number - 1) * 4_096, url)
    }
}

/// The bytes of a file.
enum DamagedFile {
    /// Overwrites bytes of a file.
    static func write(_ bytes: Data, at offset: Int, _ url: URL) throws {
        let file = try FileHandle(forUpdating: url)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
        try file.close()
    }
}
