import Foundation

/// **Value.** Reads the contents of an XML store from its elements.
struct XMLContentsReader {
    let names: XMLNames
    let url: URL

    func contents(of root: XMLElementNode) throws -> AtomicContents {
        guard root.name == "database" else {
            throw StoreError(
                .invalidType,
                """
                \(url.lastPathComponent) is XML, but not a store: it begins with \(root.name). Pass the location of a \
                store, or of no file to create one.
                """, storeURL: url)
        }
        guard let info = root.children(named: "databaseInfo").first else { throw fault("no databaseInfo", root) }
        var contents = AtomicContents(identifier: try identifier(in: info))
        let last = info.children(named: "nextObjectID").first.map { Self.trimmed($0.text) }
        guard let lastID = Int64(last ?? "0") else { throw fault("an invalid nextObjectID", info) }
        contents.lastID = lastID
        if let list = info.children(named: "metadata").first?.children(named: "plist").first?.children.first {
            guard case .dictionary(let values) = try propertyList(list) else {
                throw fault("metadata that are no dictionary", list)
            }
            if case .dictionary(let hashes)? = values["NSStoreModelVersionHashes"] {
                contents.versionHashes = hashes.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
            }
            contents.metadata = values.filter { !StoreMetadataKey.isStoresOwn($0.key) }
        }
        contents.objects = try root.children(named: "object").map(object)
        return contents
    }

    private func identifier(in info: XMLElementNode) throws -> UUID {
        let text = info.children(named: "UUID").first.map { Self.trimmed($0.text) }
        guard let identifier = text.flatMap(UUID.init(uuidString:)) else { throw fault("no valid UUID", info) }
        return identifier
    }

    private func object(_ element: XMLElementNode) throws -> AtomicObject {
        guard let type = element.attributes["type"], let id = element.attributes["id"].flatMap(Self.id) else {
            throw fault("an object without a type or a valid id", element)
        }
        let entity = names.entity(type)
        var object = AtomicObject(entityName: entity, id: id)
        for child in element.children {
            guard let stored = child.attributes["name"] else { throw fault("a property without a name", child) }
            let name = names.property(stored, of: entity)
            switch child.name {
            case "attribute":
                let value = try value(of: child, path: [entity, name])
                guard object.values.updateValue(value, forKey: name) == nil else {
                    throw fault("\(name) of \(entity) \(id) twice", child)
                }
            case "relationship":
                let ids = try ids(of: child)
                if !ids.isEmpty, object.destinations.updateValue(ids, forKey: name) != nil {
                    throw fault("\(name) of \(entity) \(id) twice", child)
                }
            default: throw fault("an unknown element \(child.name)", child)
            }
        }
        return object
    }

    private func value(of element: XMLElementNode, path: [String]) throws -> ManagedValue {
        let type = element.attributes["type"] ?? ""
        if type == "composite" {
            var values: [String: ManagedValue] = [:]
            for child in element.children(named: "attribute") {
                let name = names.element(child.attributes["name"] ?? "", of: path)
                values[name] = try value(of: child, path: path + [name])
            }
            return .dictionary(values)
        }
        guard let value = XMLValue.value(of: element.text, type: type) else {
            let name = element.attributes["name"] ?? "an attribute"
            throw fault("a value of \(name) that is none of the type \(type)", element)
        }
        return value
    }

    private func ids(of element: XMLElementNode) throws -> [Int64] {
        try (element.attributes["idrefs"] ?? "").split(separator: " ").map { part in
            guard let id = Self.id(String(part)) else { throw fault("an invalid id in idrefs", element) }
            return id
        }
    }

    /// Returns the number in `z102`.
    private static func id(_ text: String) -> Int64? {
        guard text.hasPrefix("z"), let id = Int64(text.dropFirst()), id > 0 else { return nil }
        return id
    }

    // MARK: Metadata

    private func propertyList(_ element: XMLElementNode) throws -> ManagedValue {
        let text = Self.trimmed(element.text)
        let value: ManagedValue? =
            switch element.name {
            case "true": .bool(true)
            case "false": .bool(false)
            case "integer": Int64(text).map(ManagedValue.int)
            case "real": Double(text).map(ManagedValue.double)
            case "string": .string(element.text)
            case "date": ISO8601Date.date(text).map(ManagedValue.date)
            case "data": Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(ManagedValue.data)
            case "array": .list(try element.children.map(propertyList))
            case "dict": .dictionary(try dictionary(element))
            default: nil
            }
        guard let value else { throw fault("an invalid \(element.name) in the metadata", element) }
        return value
    }

    private func dictionary(_ element: XMLElementNode) throws -> [String: ManagedValue] {
        var values: [String: ManagedValue] = [:]
        var key: String?
        for child in element.children {
            if let name = key {
                values[name] = try propertyList(child)
                key = nil
            } else {
                guard child.name == "key" else { throw fault("a value without a key in the metadata", child) }
                key = child.text
            }
        }
        return values
    }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    private func fault(_ problem: String, _ element: XMLElementNode) -> StoreError {
        StoreError(
            .corrupt,
            """
            \(url.lastPathComponent):\(element.line):\(element.column): \(problem): this is not a store that Core Data or \
            this library has written. Restore the file from a backup.
            """, storeURL: url)
    }
}
