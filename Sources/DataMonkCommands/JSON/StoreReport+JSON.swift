import Foundation

extension StoreReport {
    /// Returns the output of `inspect --json`: the store, its model, its entities, and a page of objects if one was
    /// requested.
    package func json(with page: RowPage? = nil) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "store", value: store), .init(key: "model", value: modelSource),
            .init(key: "entities", value: .array(entities.map(\.json))),
        ]
        if let comparison { members.append(.init(key: "comparison", value: comparison.json)) }
        if let page { members.append(.init(key: "page", value: page.json)) }
        return .object(members)
    }

    private var store: JSONValue {
        [
            "path": .string(url.path), "bytes": .integer(byteCount), "uuid": .string(identifier.uuidString),
            "frameworkVersion": frameworkVersion.map { .integer($0) } ?? .null,
            "versionIdentifiers": .strings(versionIdentifiers),
            "versionHashes": .object(
                versionHashes.sorted { $0.key < $1.key }.map {
                    .init(key: $0.key, value: .string($0.value.base64EncodedString()))
                }),
            "applicationKeys": .strings(applicationKeys), "textIndexes": .strings(textIndexes),
            "filteredAttributes": .strings(filteredAttributes),
        ]
    }

    private var modelSource: JSONValue {
        [
            "source": .optional(model.source?.rawValue), "problem": .optional(model.problem),
            "omissions": .strings(model.omissions),
        ]
    }
}

extension ModelComparison {
    fileprivate var json: JSONValue {
        [
            "path": .string(modelURL.path), "version": .optional(versionName),
            "configuration": .optional(configurationName), "isCompatible": .bool(isCompatible),
            "problem": .optional(problem), "onlyInModel": .strings(addedEntities),
            "onlyInStore": .strings(removedEntities), "changed": .strings(changedEntities),
        ]
    }
}

extension EntityReport {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "number": .integer(number), "superentity": .optional(superentityName),
            "isAbstract": .bool(isAbstract), "ownCount": ownCount.map { .integer($0) } ?? .null,
            "count": count.map { .integer($0) } ?? .null,
        ]
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object from keys and values, in their order.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(key: $0.0, value: $0.1) })
    }
}
