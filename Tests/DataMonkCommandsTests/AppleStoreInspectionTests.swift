import DataMonkFixtures
import Foundation
import Testing

/// What `inspect --json` says of the stores that Apple's framework wrote is what `sqlite3` finds in them.
@Suite(.requiresFixtures("stores", "more-stores"))
struct AppleStoreInspectionTests {
    private static let paths = Fixtures.stores

    @Test(arguments: paths, [false, true])
    func `every row is listed with its values, and the store stays as it is`(path: String, hasModel: Bool) throws {
        let store = try InspectedStore(copyOf: path)
        let files = try store.files()
        let modelFile = Fixtures.modelFile(besideStore: path)
        let arguments = hasModel ? modelFile.map { ["--model", $0.path] } ?? [] : []
        let report = try store.json(arguments)
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect((report["model"] as? [String: Any])?["source"] as? String == "store")
        if !arguments.isEmpty { #expect((report["comparison"] as? [String: Any])?["isCompatible"] as? Bool == true) }
        for entity in entities {
            let name = try #require(entity["name"] as? String)
            let report = try store.json(arguments + ["--entity", name, "--limit", "0"])
            let page = try #require(report["page"] as? [String: Any])
            try compare(page, entity, entities, store)
        }
        #expect(try store.files() == files)
    }

    /// Compares the page of an entity with its table.
    private func compare(
        _ page: [String: Any], _ entity: [String: Any], _ entities: [[String: Any]], _ store: InspectedStore
    ) throws {
        let family = try family(of: entity, entities)
        let table = try table(of: entity, entities)
        let numbers = family.compactMap { $0["number"] as? Int }
        let stored = try store.rows(
            "SELECT Z_PK, Z_ENT FROM \(table) WHERE Z_ENT IN (\(numbers.map(String.init).joined(separator: ","))) ORDER BY Z_PK"
        )
        let rows = try #require(page["rows"] as? [[String: Any]])
        #expect(rows.map { $0["primaryKey"] as? Int } == stored.map { $0["Z_PK"] as? Int })
        #expect(page["total"] as? Int == stored.count && entity["count"] as? Int == stored.count)
        #expect(entity["ownCount"] as? Int == stored.count { $0["Z_ENT"] as? Int == entity["number"] as? Int })
        for property in try #require(page["properties"] as? [[String: Any]]) {
            let values = rows.map { ($0["values"] as? [String: Any])?[property["name"] as? String ?? ""] }
            #expect(values.count == stored.count)
            let expected = try self.values(of: property, entity, stored, entities, store)
            for (value, other) in zip(values, expected) {
                #expect(text(value, property) == text(other, property), "\(property)")
            }
        }
    }

    private func family(of entity: [String: Any], _ entities: [[String: Any]]) throws -> [[String: Any]] {
        let name = entity["name"] as? String
        return try [entity]
            + entities.filter { $0["superentity"] as? String == name }.flatMap { try family(of: $0, entities) }
    }

    private func table(of entity: [String: Any], _ entities: [[String: Any]]) throws -> String {
        var root = entity
        while let above = entities.first(where: { $0["name"] as? String == root["superentity"] as? String }) {
            root = above
        }
        return "Z" + (try #require(root["name"] as? String)).uppercased()
    }

    /// What the columns hold of a property, one value a row.
    private func values(
        of property: [String: Any], _ entity: [String: Any], _ stored: [[String: Any]], _ entities: [[String: Any]],
        _ store: InspectedStore
    ) throws -> [Any?] {
        let name = try #require(property["name"] as? String)
        let table = try table(of: entity, entities)
        guard property["kind"] as? String != "toMany" else {
            let destination = entities.first { $0["name"] as? String == property["destination"] as? String }
            let inverse = Self.inverses[name] ?? Self.inverses["\(entity["name"] ?? "").\(name)"]
            let links = try links(name, inverse, in: self.table(of: try #require(destination), entities), store)
            return stored.map { row in links.filter { $0.from == row["Z_PK"] as? Int }.map(\.to) }
        }
        let column = "Z\(name.uppercased())"
        let expression =
            switch property["type"] as? String {
            case "uuid", "binary", "transformable": "iif(\(column) IS NULL, NULL, hex(\(column)))"
            // By itself sqlite3 prints 15 digits of a number.
            case "double", "float", "date", "decimal": "iif(\(column) IS NULL, NULL, printf('%!.17g', \(column)))"
            default: column
            }
        let values = try store.rows("SELECT Z_PK, \(expression) AS v FROM \(table)")
        let byKey = Dictionary(uniqueKeysWithValues: values.map { ($0["Z_PK"] as? Int, $0["v"]) })
        return stored.map { byKey[$0["Z_PK"] as? Int] ?? nil }
    }

    /// The columns that lead back, of to-manys whose inverse is a to-one.
    private static let inverses = [
        "cars": "ZOWNER", "countries": "ZCONTINENT", "Country.moods": "ZCOUNTRY", "Continent.moods": "ZCONTINENT",
        "sections": "ZPOST", "books": "ZAUTHOR", "pages": "ZBOOK",
    ]

    /// The pairs of a to-many, by the names that the stores at hand have.
    private func links(
        _ name: String, _ inverse: String?, in table: String, _ store: InspectedStore
    ) throws -> [(from: Int?, to: Int?)] {
        let sql =
            switch name {
            case "favorites": "SELECT Z_1FAVORITEFOLDERS f, Z_1FAVORITES t FROM Z_1FAVORITES ORDER BY Z_FOK_1FAVORITES"
            case "favoriteFolders": "SELECT Z_1FAVORITES f, Z_1FAVORITEFOLDERS t FROM Z_1FAVORITES ORDER BY t"
            case "children": "SELECT ZPARENT f, Z_PK t FROM \(table) WHERE f NOT NULL ORDER BY Z_FOK_PARENT"
            default: "SELECT \(inverse ?? "0") f, Z_PK t FROM \(table) ORDER BY Z_PK"
            }
        guard
            try !store.rows("SELECT name FROM sqlite_master WHERE name = 'Z_1FAVORITES'").isEmpty || name != "favorites"
        else {
            // In earlier versions a bookmark is in one folder of favorites.
            return try store.rows(
                "SELECT ZFAVORITEFOLDER f, Z_PK t FROM \(table) WHERE f NOT NULL ORDER BY Z_FOK_FAVORITEFOLDER"
            ).map { ($0["f"] as? Int, $0["t"] as? Int) }
        }
        return try store.rows(sql).map { row in (row["f"] as? Int, row["t"] as? Int) }
    }

    /// A value of either side in one form.
    private func text(_ value: Any?, _ property: [String: Any]) -> String {
        guard let value, !(value is NSNull) else { return "null" }
        if let reference = value as? [String: Any] {
            return text(reference["seconds", default: reference["primaryKey"] ?? NSNull()], property)
        }
        if let list = value as? [Any] { return "\(list.map { text($0, property) })" }
        switch property["type"] as? String {
        case "double", "float", "date", "decimal":
            return "\((value as? NSNumber)?.doubleValue ?? Double(value as? String ?? "") ?? .nan)"
        case "boolean": return (value as? NSNumber)?.boolValue == true ? "1" : "0"
        case "uuid": return (value as? String ?? "").replacing("-", with: "").uppercased()
        case "binary", "transformable":
            let string = value as? String ?? ""
            let bytes = Data(base64Encoded: string).map { $0.map { String(format: "%02X", $0) }.joined() }
            return string.allSatisfy(\.isHexDigit) && string.count.isMultiple(of: 2) && bytes?.count != string.count
                ? string : bytes ?? string
        default: return (value as? NSNumber).map { "\($0.doubleValue)" } ?? "\(value)"
        }
    }
}
