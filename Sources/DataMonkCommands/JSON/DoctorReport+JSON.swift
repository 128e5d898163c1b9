import DataMonkCore
import Foundation

extension DoctorReport {
    /// The output of `doctor --json`.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "path", value: .string(url.path)),
            .init(key: "isSound", value: .bool(examination.isSound)),
            .init(key: "isComplete", value: .bool(examination.isComplete)),
            .init(
                key: "objectCounts",
                value: .object(
                    examination.objectCounts.sorted { $0.key < $1.key }.map { .init(key: $0, value: .integer($1)) })),
            .init(key: "findings", value: .array(examination.findings.map(\.json))),
        ]
        if let repair { members.append(.init(key: "repair", value: repair.json)) }
        if let salvage { members.append(.init(key: "salvage", value: salvage.json)) }
        return .object(members)
    }
}

extension StoreFinding {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "entity": .optional(entityName), "property": .optional(propertyName),
            "table": .optional(table), "count": .integer(count), "remedy": .string(remedy.rawValue),
            "rows": .array(
                rows.map { row in
                    [
                        "primaryKey": .integer(row.primaryKey),
                        "otherKey": row.otherKey.map { .integer($0) } ?? .null,
                    ]
                }),
            "files": .strings(files), "message": .string(message),
        ]
    }
}

extension StoreRepair {
    fileprivate var json: JSONValue {
        [
            "path": .string(url.path),
            "actions": .array(
                actions.map { action in
                    [
                        "kind": .string(action.finding.kind.rawValue), "entity": .optional(action.finding.entityName),
                        "property": .optional(action.finding.propertyName),
                        "changedRows": .integer(action.changedRows), "message": .string(action.message),
                    ]
                }),
        ]
    }
}

extension StoreSalvage {
    fileprivate var json: JSONValue {
        [
            "path": .string(url.path), "isWhole": .bool(isWhole), "losesHistory": .bool(losesHistory),
            "lostFiles": .strings(lostFiles),
            "counts": .object(counts.sorted { $0.key < $1.key }.map { .init(key: $0, value: $1.json) }),
        ]
    }
}

extension StoreSalvage.Count {
    fileprivate var json: JSONValue {
        [
            "savedObjects": .integer(savedObjects), "lostObjects": .integer(lostObjects),
            "unreadableKeys": .integer(unreadableKeys), "lostValues": .integer(lostValues),
            "lostLinks": .integer(lostLinks), "mayHaveLostMore": .bool(mayHaveLostMore),
        ]
    }
}
