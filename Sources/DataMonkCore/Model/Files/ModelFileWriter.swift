/// **Value.** Writes a model in the form that ``ModelFileReader`` reads, in the order of elements that Xcode writes.
///
/// What the form has no place for is left out and noted.
struct ModelFileWriter {
    private let model: ManagedObjectModel
    private(set) var omissions: [ModelFileOmission] = []
    /// The composite types that attributes use, each after those that it consists of.
    var composites: [XMLElementText] = []
    /// The names that composite types have already: those of `A_b.c` and `A.b_c` would be the same.
    var compositeNames: Set<String> = []
    /// The entity and the property that are being written.
    private(set) var entityName: String?
    var propertyName: String?

    /// Returns the text of a `contents` file.
    static func text(of model: ManagedObjectModel) -> (text: String, omissions: [ModelFileOmission]) {
        var writer = ModelFileWriter(model: model)
        var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
        writer.root().write(to: &text)
        return (text, writer.omissions)
    }

    private init(model: ManagedObjectModel) { self.model = model }

    mutating func omit(_ message: String) {
        omissions.append(ModelFileOmission(entityName: entityName, propertyName: propertyName, message: message))
    }

    /// Returns a text if XML can contain it.
    mutating func text(_ text: String?, _ subject: String) -> String? {
        guard let text, !XMLElementText.canHold(text) else { return text }
        omit("\(subject) contains a character that XML does not allow, so the file does not contain it.")
        return nil
    }

    private mutating func root() -> XMLElementText {
        var root = XMLElementText("model")
        root.set("type", "com.apple.IDECoreDataModeler.DataModel")
        root.set("documentVersion", "1.0")
        root.set("lastSavedToolsVersion", "22758")
        root.set("systemVersion", "23F79")
        root.set("minimumToolsVersion", "Automatic")
        root.set("sourceLanguage", "Swift")
        root.set("userDefinedModelVersionIdentifier", text(model.versionIdentifiers.first, "The version identifier"))
        for identifier in model.versionIdentifiers.dropFirst() {
            omit("A model file has one version identifier, so it does not contain \"\(identifier)\".")
        }
        for entity in model.entities { root.children.append(element(of: entity.description)) }
        (entityName, propertyName) = (nil, nil)
        for name in model.fetchRequestTemplates.keys.sorted(by: String.precedesInBytes) {
            if let template = model.fetchRequestTemplates[name] { root.children.append(element(of: template)) }
        }
        for name in model.configurations.keys.sorted(by: String.precedesInBytes) {
            var configuration = XMLElementText("configuration")
            configuration.set("name", name)
            configuration.children = (model.configurations[name] ?? []).map { Self.element("memberEntity", "name", $0) }
            root.children.append(configuration)
        }
        root.children += composites
        return root
    }

    private mutating func element(of entity: EntityDescription) -> XMLElementText {
        (entityName, propertyName) = (entity.name, nil)
        var element = XMLElementText("entity")
        element.set("name", entity.name)
        element.set("representedClassName", entity.managedObjectClassName)
        element.set("parentEntity", entity.superentityName)
        element.set("isAbstract", entity.isAbstract)
        element.set("elementID", text(entity.renamingIdentifier, "The renaming identifier"))
        element.set("versionHashModifier", text(entity.versionHashModifier, "The version hash modifier"))
        element.set("syncable", true)
        if entity.codeGeneration != .manual { element.set("codeGenerationType", entity.codeGeneration.rawValue) }
        let indexed = Set(
            entity.indexes.filter { $0.elements.count == 1 }.flatMap(\.elements).compactMap(\.propertyName))
        for attribute in entity.attributes {
            element.children.append(self.element(of: attribute, hasIndex: indexed.contains(attribute.name)))
        }
        for relationship in entity.relationships { element.children.append(self.element(of: relationship)) }
        for property in entity.fetchedProperties { element.children.append(self.element(of: property)) }
        propertyName = nil
        for index in entity.indexes { element.children.append(self.element(of: index)) }
        element.add(
            list: "uniquenessConstraints",
            entity.uniquenessConstraints.map { names in
                XMLElementText("uniquenessConstraint", children: names.map { Self.element("constraint", "value", $0) })
            })
        element.add(list: "userInfo", entries(of: entity.userInfo))
        return element
    }

    /// Returns the entries of a dictionary of notes, by key.
    mutating func entries(of userInfo: [String: String]) -> [XMLElementText] {
        var entries: [XMLElementText] = []
        for key in userInfo.keys.sorted(by: String.precedesInBytes) {
            guard let name = text(key, "A key of the user info"),
                let value = text(userInfo[key], "The user info \(key)")
            else { continue }
            var entry = XMLElementText("entry")
            entry.set("key", name)
            entry.set("value", value)
            entries.append(entry)
        }
        return entries
    }

    private static func element(_ name: String, _ attribute: String, _ value: String) -> XMLElementText {
        var element = XMLElementText(name)
        element.set(attribute, value)
        return element
    }
}
