import DataMonk
import Foundation

/// What a store holds, as text: once as DataMonk reads it, once as the `sqlite3` command does.
///
/// The names of tables and columns are put together here anew, from the rules alone.
struct StoreDump: Equatable {
    /// The values of each object, by `Entity/key` and property.
    private(set) var objects: [String: [String: String]] = [:]

    /// What differs from another dump, a line each.
    func differences(from other: StoreDump) -> [String] {
        Set(objects.keys).union(other.objects.keys).sorted().flatMap { name -> [String] in
            guard let mine = objects[name], let theirs = other.objects[name] else {
                return ["\(name) is only in \(objects[name] == nil ? "the other" : "this")"]
            }
            return Set(mine.keys).union(theirs.keys).sorted().compactMap { key in
                mine[key] == theirs[key]
                    ? nil : "\(name).\(key): \(mine[key] ?? "nothing") and \(theirs[key] ?? "nothing")"
            }
        }
    }

    // MARK: As DataMonk reads it

    /// Reads every property of every object.
    init(of stack: Stack) throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        for entity in stack.model.entities where entity.superentity == nil {
            for object in try context.fetch(FetchRequest(entityName: entity.name)) {
                objects[Self.name(of: object)] = try Self.values(of: object)
            }
        }
    }

    private static func name(of object: ManagedObject) -> String {
        "\(object.entity.name)/\(object.anyObjectID.uri.lastPathComponent.dropFirst())"
    }

    private static func key(_ object: ManagedObject) -> String {
        String(object.anyObjectID.uri.lastPathComponent.dropFirst())
    }

    private static func values(of object: ManagedObject) throws -> [String: String] {
        var values: [String: String] = [:]
        for attribute in object.entity.attributes where !attribute.isTransient {
            values[attribute.name] = text(try object.value(forKey: attribute.name))
        }
        for relationship in object.entity.relationships where !relationship.isTransient {
            if !relationship.isToMany {
                let destination: ManagedObject? = object.property(at: relationship.slot)
                values[relationship.name] = destination.map(key) ?? "NULL"
            } else if relationship.isOrdered {
                let destinations: [ManagedObject] = object.property(at: relationship.slot)
                values[relationship.name] = destinations.map(key).joined(separator: " ")
            } else {
                let destinations: Set<ManagedObject> = object.property(at: relationship.slot)
                values[relationship.name] = destinations.map(key).sorted().joined(separator: " ")
            }
        }
        return values
    }

    /// As SQLite's `quote()` writes it, but for numbers, whose form is Swift's.
    private static func text(_ value: ManagedValue) -> String {
        switch value {
        case .null: "NULL"
        case .bool(let value): value ? "1" : "0"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .date(let value): "\(value.timeIntervalSinceReferenceDate)"
        case .decimal(let value): Double("\(value)").map { "\($0)" } ?? "no number"
        case .string(let value): quoted(value)
        case .url(let value): quoted(value.absoluteString)
        case .data(let value): hexadecimal(value)
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { hexadecimal(Data($0)) }
        default: "unexpected \(value.kind)"
        }
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    private static func hexadecimal(_ data: Data) -> String {
        "X'" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().uppercased() + "'"
    }

    // MARK: As sqlite3 reads it

    /// Reads every column of every row that the model knows.
    init(of url: URL, _ model: ManagedObjectModel) throws {
        for entity in model.entities where !entity.isAbstract {
            let number = try Self.number(of: entity, url)
            let table = Self.table(of: entity)
            let properties = entity.properties.filter { !$0.isTransient && $0.relationship?.isToMany != true }
            let columns = properties.map { "quote(Z\($0.name.uppercased()))" }
            let list = (["Z_PK"] + columns).joined(separator: ", ")
            for row in try StoreCopy.rows(url, "SELECT \(list) FROM \(table) WHERE Z_ENT = \(number)") {
                var values: [String: String] = [:]
                for (property, text) in zip(properties, row.dropFirst()) {
                    values[property.name] = Self.normalized(text, property)
                }
                for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
                    values[relationship.name] = try Self.destinations(of: relationship, key: row[0], url)
                }
                objects["\(entity.name)/\(row[0])"] = values
            }
        }
    }

    /// A renamed entity keeps its old name in `Z_PRIMARYKEY`.
    private static func number(of entity: Entity, _ url: URL) throws -> String {
        let names = [entity.name, entity.description.renamingIdentifier ?? entity.name]
        let list = names.map(quoted).joined(separator: ", ")
        return try StoreCopy.rows(url, "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME IN (\(list))").first?.first ?? ""
    }

    private static func table(of entity: Entity) -> String { "Z\(entity.root.name.uppercased())" }

    private static func normalized(_ text: String, _ property: Entity.Property) -> String {
        switch property.attribute?.type {
        case .double, .float, .date, .decimal: Double(text).map { "\($0)" } ?? text
        default: text
        }
    }

    private static func destinations(
        of relationship: Entity.Relationship, key: String, _ url: URL
    ) throws -> String {
        guard let inverse = relationship.inverse else { return "" }
        let table = Self.table(of: relationship.destination)
        let column = inverse.name.uppercased()
        let sql: String
        if inverse.isToMany {
            // The one pair of the fixtures; its names are written out.
            sql =
                relationship.isOrdered
                ? """
                SELECT Z_1FAVORITES FROM Z_1FAVORITES WHERE Z_1FAVORITEFOLDERS = \(key) ORDER BY Z_FOK_1FAVORITES
                """
                : "SELECT Z_1FAVORITEFOLDERS FROM Z_1FAVORITES WHERE Z_1FAVORITES = \(key)"
        } else {
            let order = relationship.isOrdered ? "ORDER BY Z_FOK_\(column)" : ""
            sql = "SELECT Z_PK FROM \(table) WHERE Z\(column) = \(key) \(order)"
        }
        let keys = try StoreCopy.rows(url, sql).compactMap(\.first)
        return (relationship.isOrdered ? keys : keys.sorted()).joined(separator: " ")
    }
}
