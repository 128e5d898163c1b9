import Foundation

/// **Value.** The names of a model by those that an XML store has for them.
struct XMLNames {
    private var entities: [String: String] = [:]
    private var properties: [String: [String: String]] = [:]

    /// - Throws: ``StoreError`` with the code `incompatibleSchema` if two names differ by case alone.
    init(_ model: ManagedObjectModel, url: URL) throws {
        for entity in model.entities {
            if let other = entities.updateValue(entity.name, forKey: entity.name.uppercased()) {
                throw Self.collision(entity.name, other, "entities", url: url)
            }
            properties[entity.name] = try Self.byFoldedName(entity.properties.map(\.name), of: entity.name, url: url)
            for attribute in entity.attributes where !attribute.elements.isEmpty {
                let owner = "\(entity.name).\(attribute.name)"
                properties[owner] = try Self.byFoldedName(attribute.elements.map(\.name), of: owner, url: url)
            }
        }
    }

    private static func byFoldedName(_ names: [String], of owner: String, url: URL) throws -> [String: String] {
        var folded: [String: String] = [:]
        for name in names {
            if let other = folded.updateValue(name, forKey: name.lowercased()) {
                throw collision(name, other, "properties of \(owner)", url: url)
            }
        }
        return folded
    }

    private static func collision(_ name: String, _ other: String, _ what: String, url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            \(url.lastPathComponent) cannot hold the \(what) \(other) and \(name): an XML store does not distinguish \
            capital and small letters in names. Rename one of them, or use a store of another kind.
            """, storeURL: url)
    }

    /// The name of an entity, or the stored name if the model has none by it.
    func entity(_ stored: String) -> String { entities[stored.uppercased()] ?? stored }

    /// The name of a property, or the stored name if the entity has none by it.
    func property(_ stored: String, of entity: String) -> String {
        properties[entity]?[stored.lowercased()] ?? stored
    }

    /// The name of an element of a composite attribute, which is at a path of an entity and an attribute.
    func element(_ stored: String, of path: [String]) -> String {
        property(stored, of: path.joined(separator: "."))
    }
}
