import Foundation

/// **Value.** The text of an XML store in the making.
///
/// ```
/// <?xml version="1.0" standalone="no"?>
/// <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
/// <database>
///     <databaseInfo>
///         <version>134481920</version>
///         <UUID>…</UUID>
///         <nextObjectID>103</nextObjectID>                  the last id that was given
///         <metadata><plist version="1.0">…</plist></metadata>
///     </databaseInfo>
///     <object type="PERSON" id="z102">
///         <attribute name="name" type="string">Ada</attribute>
///         <relationship name="friends" type="0/0" destination="PERSON" idrefs="z103"></relationship>
///     </object>
/// </database>
/// ```
/// Not verified with a file of Core Data's: the text of dates and floating-point numbers, and everything about UUIDs, URIs,
/// transformables and composite attributes.
struct XMLContentsWriter {
    /// The version of the form that Core Data writes.
    private static let version = 134_481_920

    private(set) var text = ""
    private let model: ManagedObjectModel
    private let url: URL

    init(model: ManagedObjectModel, url: URL) {
        self.model = model
        self.url = url
    }

    mutating func add(_ contents: AtomicContents) throws {
        text = """
            <?xml version="1.0" standalone="no"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>\(Self.version)</version>
                    <UUID>\(contents.identifier.uuidString)</UUID>
                    <nextObjectID>\(contents.lastID)</nextObjectID>
                    <metadata>
                        <plist version="1.0">

            """
        try addPropertyList(metadata(of: contents))
        text += "            </plist>\n        </metadata>\n    </databaseInfo>\n"
        let entities = Dictionary(
            contents.objects.map { ($0.id, $0.entityName) }, uniquingKeysWith: { first, _ in first })
        for object in contents.objects { try add(object, entities) }
        text += "</database>\n"
    }

    private func metadata(of contents: AtomicContents) -> ManagedValue {
        let hashes = contents.versionHashes ?? [:]
        let own: [String: ManagedValue] = [
            "NSStoreModelVersionHashes": .dictionary(hashes.mapValues(ManagedValue.data)),
            "NSStoreModelVersionHashesVersion": .int(Int64(VersionHashes.version)),
            "NSStoreModelVersionIdentifiers": .list(model.versionIdentifiers.map(ManagedValue.string)),
            "NSStoreType": "XML", "NSPersistenceFrameworkVersion": 1_344,
        ]
        return .dictionary(contents.metadata.merging(own) { _, own in own })
    }

    // MARK: Objects

    private mutating func add(_ object: AtomicObject, _ entities: [Int64: String]) throws {
        guard let entity = model.entitiesByName[object.entityName] else { return }
        text += "    <object type=\"\(entity.name.uppercased())\" id=\"z\(object.id)\">\n"
        for attribute in entity.attributes {
            guard let value = object.values[attribute.name] else { continue }
            try add(value, of: attribute)
        }
        for relationship in entity.relationships where !relationship.isTransient {
            let ids = object.destinations[relationship.name] ?? []
            let name = relationship.name.lowercased()
            let count =
                relationship.isToMany ? "\(relationship.minCount)/\(max(0, relationship.maxCount))" : "1/1"
            text += "        <relationship name=\"\(name)\" type=\"\(count)\""
            text += " destination=\"\(relationship.destination.name.uppercased())\""
            if !ids.isEmpty { text += " idrefs=\"\(ids.map { "z\($0)" }.joined(separator: " "))\"" }
            text += "></relationship>\n"
        }
        text += "    </object>\n"
    }

    private mutating func add(_ value: ManagedValue, of attribute: Entity.Attribute) throws {
        text +=
            "        <attribute name=\"\(attribute.name.lowercased())\" type=\"\(XMLValue.typeName(attribute.type))\">"
        if case .dictionary(let values) = value {
            text += "\n"
            for element in attribute.elements {
                guard let value = values[element.name], !value.isNull else { continue }
                try add(value, of: element)
            }
            text += "        "
        } else {
            let value = XMLValue.text(of: value)
            text += try escaped(value) { "\(attribute.entity.name).\(attribute.keyPath)" }
        }
        text += "</attribute>\n"
    }

    /// Returns the text with references for the characters that would be taken for marks or changed by a reader.
    private func escaped(_ value: String, _ name: () -> String) throws -> String {
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x26 && $0 != 0x3C && $0 != 0x3E }
        if isPlain { return value }
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}":
                throw StoreError(
                    .unsupportedRequest,
                    """
                    \(name()) contains the character U+\(String(scalar.value, radix: 16, uppercase: true)), which XML \
                    cannot represent. Remove it, or use a store of another kind than \(url.lastPathComponent).
                    """, storeURL: url)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    // MARK: Metadata

    private mutating func addPropertyList(_ value: ManagedValue, named name: String = "the metadata") throws {
        switch value {
        case .bool(let bool): text += bool ? "<true/>\n" : "<false/>\n"
        case .int(let number): text += "<integer>\(number)</integer>\n"
        case .double(let number): text += "<real>\(number)</real>\n"
        case .date(let date): text += "<date>\(ISO8601Date.text(date))</date>\n"
        case .string(let string): text += "<string>\(try escaped(string) { name })</string>\n"
        case .data(let data): text += "<data>\(data.base64EncodedString())</data>\n"
        case .list(let values):
            text += "<array>\n"
            for value in values { try addPropertyList(value, named: name) }
            text += "</array>\n"
        case .dictionary(let values):
            text += "<dict>\n"
            for (key, value) in values.sorted(by: { $0.key < $1.key }) where !value.isNull {
                text += "<key>\(try escaped(key) { "a key of the metadata" })</key>\n"
                try addPropertyList(value, named: key)
            }
            text += "</dict>\n"
        case .null, .decimal, .uuid, .url, .object:
            throw StoreError(
                .unsupportedRequest, "\(name) is \(value.kind), which no property list can hold. Remove it.",
                storeURL: url)
        }
    }
}
