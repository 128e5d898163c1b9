/// **Value.** Turns the elements of a model file into descriptions.
///
/// ```
/// model
///   entity*          attribute* relationship* fetchedProperty* compoundIndexes? fetchIndex* uniquenessConstraints? userInfo?
///   fetchRequest*    configuration*           composite*
/// ```
/// Unknown elements and attributes are ignored, since later tools may add some. A malformed value is an error with its line
/// and column.
struct ModelFileReader {
    let fileName: String
    /// The elements of composite attributes by the composite's name.
    var composites: [String: [AttributeDescription]] = [:]

    static func read(_ root: XMLElementNode, fileName: String) throws(ModelError) -> ModelContents {
        var reader = ModelFileReader(fileName: fileName)
        return try reader.contents(of: root)
    }

    private mutating func contents(of root: XMLElementNode) throws(ModelError) -> ModelContents {
        guard root.name == "model" else {
            throw fault(at: root, "the outermost element is <\(root.name)>, but a model file's is <model>.")
        }
        for composite in root.children(named: "composite") {
            let name = try required("name", of: composite)
            composites[name] = try elements(of: composite)
        }
        var contents = ModelContents()
        contents.versionIdentifiers = root.attributes["userDefinedModelVersionIdentifier"].map { [$0] } ?? []
        for element in root.children {
            switch element.name {
            case "entity":
                contents.entities.append(try entity(element))
            case "fetchRequest":
                contents.fetchRequestTemplates.append(try fetchRequest(element))
            case "configuration":
                let name = try required("name", of: element)
                let members = try names("name", of: element.children(named: "memberEntity"))
                guard contents.configurations.updateValue(members, forKey: name) == nil else {
                    throw fault(at: element, "two configurations are named \(name).")
                }
            default:
                continue
            }
        }
        return contents
    }

    private func elements(of composite: XMLElementNode) throws(ModelError) -> [AttributeDescription] {
        let children = composite.children.filter { $0.name == "attribute" || $0.name == "compositeAttribute" }
        return try children.map { child throws(ModelError) in try attribute(child) }
    }

    private func entity(_ element: XMLElementNode) throws(ModelError) -> EntityDescription {
        var properties: [PropertyDescription] = []
        var indexes: [FetchIndexDescription] = []
        for child in element.children {
            switch child.name {
            case "attribute": properties.append(.attribute(try attribute(child)))
            case "relationship": properties.append(.relationship(try relationship(child)))
            case "fetchedProperty": properties.append(.fetched(try fetchedProperty(child)))
            case "fetchIndex": indexes.append(try fetchIndex(child))
            default: continue
            }
        }
        indexes += try compoundIndexes(of: element)
        Self.markIndexedAttributes(in: &properties, by: indexes)
        let constraints = try element.parts(of: "uniquenessConstraints").map { constraint throws(ModelError) in
            try names("value", of: constraint.children)
        }
        let className = element.attributes["representedClassName"]
        var entity = EntityDescription(
            try required("name", of: element), managedObjectClassName: className == "NSManagedObject" ? nil : className,
            superentityName: element.attributes["parentEntity"],
            isAbstract: try flag("isAbstract", of: element) ?? false,
            properties: properties, uniquenessConstraints: constraints, indexes: indexes,
            renamingIdentifier: element.attributes["elementID"],
            versionHashModifier: element.attributes["versionHashModifier"], userInfo: try userInfo(of: element))
        if let name = element.attributes["codeGenerationType"] {
            guard let kind = CodeGeneration(rawValue: name) else {
                throw fault(at: element, "\(name) is not a type of code generation. Choose one in Xcode.")
            }
            entity.codeGeneration = kind
        }
        return entity
    }

    /// Marks attributes as indexed if they are the only element of an index. Apple's model compiler does the same, and Core
    /// Data then creates two indexes on each. A store made from the file has both, as Apple's have.
    private static func markIndexedAttributes(
        in properties: inout [PropertyDescription], by indexes: [FetchIndexDescription]
    ) {
        let names = Set(indexes.filter { $0.elements.count == 1 }.flatMap(\.elements).compactMap(\.propertyName))
        for position in properties.indices {
            guard case .attribute(var attribute) = properties[position], names.contains(attribute.name),
                !attribute.isTransient
            else { continue }
            attribute.isIndexed = true
            properties[position] = .attribute(attribute)
        }
    }

    func userInfo(of element: XMLElementNode) throws(ModelError) -> [String: String] {
        var entries: [String: String] = [:]
        for entry in element.parts(of: "userInfo") where entry.name == "entry" {
            entries[try required("key", of: entry)] = entry.attributes["value"] ?? ""
        }
        return entries
    }
}

extension ModelFileReader {
    func fault(at element: XMLElementNode, _ message: String) -> ModelError {
        ModelError(code: .invalidFile, message: "\(fileName):\(element.line):\(element.column): \(message)")
    }

    func required(_ attribute: String, of element: XMLElementNode) throws(ModelError) -> String {
        guard let value = element.attributes[attribute] else {
            throw fault(at: element, "<\(element.name)> has no attribute \(attribute).")
        }
        return value
    }

    /// Returns the value of a required attribute for each element.
    func names(_ attribute: String, of elements: [XMLElementNode]) throws(ModelError) -> [String] {
        try elements.map { element throws(ModelError) in try required(attribute, of: element) }
    }

    /// Returns the value of a YES or NO attribute, or `nil` if it is absent.
    func flag(_ attribute: String, of element: XMLElementNode) throws(ModelError) -> Bool? {
        guard let text = element.attributes[attribute] else { return nil }
        guard let value = Self.flag(text) else { throw fault(at: element, "\(attribute) is neither YES nor NO.") }
        return value
    }

    static func flag(_ text: String) -> Bool? {
        switch text.uppercased() {
        case "YES", "TRUE", "1": true
        case "NO", "FALSE", "0": false
        default: nil
        }
    }

    /// Returns the value of an integer attribute, or `nil` if it is absent.
    func number(_ attribute: String, of element: XMLElementNode) throws(ModelError) -> Int? {
        guard let text = element.attributes[attribute] else { return nil }
        guard let value = Int(text) else { throw fault(at: element, "\(attribute) is not an integer.") }
        return value
    }
}
