import DataMonk
import DataMonkCore
import Foundation

/// **Value.** A file that says where the values of rows go: the user info of entities and properties, which the model of a store
/// may lack.
///
/// ```
/// {
///   "Person": {
///     "relatedByAttribute": "id",
///     "name": {"mappedKeyName": "full_name"},
///     "born": {"mappedKeyName": "birth.date", "dateFormat": "yyyy-MM-dd"}
///   }
/// }
/// ```
/// A note replaces that of the model by the same name. A key that no import reads is refused: unlike user info, the file has
/// nothing else in it, and a note with a misspelled name would be left out without a word.
struct MappingFile {
    private let name: String
    private let entities: [String: [String: Any]]

    /// - Throws: ``CommandError`` if the file cannot be read, or if it is not in this form.
    init(at url: URL) throws {
        name = url.lastPathComponent
        let bytes: Data
        do {
            bytes = try Data(contentsOf: url)
        } catch {
            throw CommandError("\(name) could not be read. Pass the location of a mapping file.", .noInput)
        }
        // Reason for try?: what is no JSON is refused below.
        let contents = try? JSONSerialization.jsonObject(with: bytes)
        guard let entities = contents as? [String: [String: Any]] else {
            throw CommandError(
                "\(name) is no mapping file. Write a JSON object with an object for each entity, by its name.", .data)
        }
        self.entities = entities
    }

    /// Returns a model with the notes.
    ///
    /// - Throws: ``CommandError`` for a name that the model does not have, and for a key that no import reads.
    func applied(to model: ManagedObjectModel, storedHashes: [String: Data]) throws -> ManagedObjectModel {
        for name in entities.keys.sorted() where model.entitiesByName[name] == nil {
            throw CommandError(
                "\(self.name) names the entity \(name), which the model does not have. Remove it.", .data)
        }
        var contents = ModelContents(
            entities: try model.entities.map { entity in
                var description = entity.description
                for (key, value) in (entities[entity.name] ?? [:]).sorted(by: { $0.key < $1.key }) {
                    try note(value, key, in: &description)
                }
                return description
            },
            configurations: model.configurations,
            fetchRequestTemplates: Array(model.fetchRequestTemplates.values),
            versionIdentifiers: model.versionIdentifiers)
        contents.incompleteEntities = model.incompleteEntities
        return try ManagedObjectModel(contents, storedHashes: storedHashes)
    }

    /// Adds a note on an entity, or the notes on one of its properties.
    private func note(_ value: Any, _ key: String, in entity: inout EntityDescription) throws {
        let position = entity.properties.firstIndex { $0.name == key }
        guard let notes = value as? [String: Any] else {
            if position != nil, ImportNote(key: key) == nil {
                throw CommandError(
                    """
                    \(name) has no object with notes at the property \(entity.name).\(key). \
                    Write {"\(key)": {"mappedKeyName": "\(value as? String ?? key)"}}.
                    """, .data)
            }
            try requireNote(key, on: entity.name, among: ImportNote.ofEntities)
            entity.userInfo[key] = try text(value, "\(entity.name).\(key)")
            return
        }
        guard let place = position else {
            throw CommandError(
                """
                \(name) names \(entity.name).\(key), which \(entity.name) does not declare. Name a property of its own, or of \
                the entity that it inherits from.
                """, .data)
        }
        for (note, value) in notes.sorted(by: { $0.key < $1.key }) {
            try requireNote(note, on: "\(entity.name).\(key)", among: entity.properties[place].importNotes)
            let text = try text(value, "\(entity.name).\(key).\(note)")
            entity.properties[place].note(text, for: note)
        }
    }

    private func requireNote(_ key: String, on path: String, among notes: [ImportNote]) throws {
        if let note = ImportNote(key: key), notes.contains(note) { return }
        let names = notes.map(\.rawValue).joined(separator: ", ")
        throw CommandError(
            """
            \(name) has the key "\(key)" at \(path), where imports read \(notes.isEmpty ? "none" : names). Correct or remove \
            it.
            """, .data)
    }

    private func text(_ value: Any, _ path: String) throws -> String {
        // A Boolean value is a number as well.
        if let flag = value as? Bool { return flag ? "true" : "false" }
        if let text = value as? String { return text }
        throw CommandError("\(name) has no text at \(path). Write one.", .data)
    }
}

extension PropertyDescription {
    /// The notes that imports read of the property.
    fileprivate var importNotes: [ImportNote] {
        switch self {
        case .attribute: ImportNote.ofAttributes
        case .relationship: ImportNote.ofRelationships
        case .fetched: []
        }
    }

    fileprivate mutating func note(_ text: String, for key: String) {
        switch self {
        case .attribute(var attribute):
            attribute.userInfo[key] = text
            self = .attribute(attribute)
        case .relationship(var relationship):
            relationship.userInfo[key] = text
            self = .relationship(relationship)
        case .fetched(var fetched):
            fetched.userInfo[key] = text
            self = .fetched(fetched)
        }
    }
}
