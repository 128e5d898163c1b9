import DataMonkCore
import Foundation

extension RowPage {
    /// The page with exact values, each in the form of its property's type:
    ///
    ///     Boolean              true, false
    ///     numbers              every digit; a Decimal and what is not finite as a string
    ///     String, URI, UUID    a string
    ///     Date                 { "iso8601": string, "seconds": since 2001-01-01 00:00:00 UTC }
    ///     Binary and others    a Base64 string
    ///     to-one, to-many      { "entity": string, "primaryKey": number }, an array of those
    ///     unreadable           { "unreadable": reason }
    package var json: JSONValue {
        [
            "entity": .string(entityName), "offset": .integer(offset), "total": .integer(total),
            "properties": .array(columns.map(\.json)), "rows": .array(rows.map(json)),
        ]
    }

    private func json(_ row: Row) -> JSONValue {
        let values = zip(columns, row.cells).map { JSONValue.Member(key: $0.name, value: $1.json) }
        return [
            "entity": .string(row.reference.entityName), "primaryKey": .integer(row.reference.primaryKey),
            "values": .object(values),
        ]
    }
}

extension RowPage.Column {
    fileprivate var json: JSONValue {
        switch kind {
        case .attribute(let type): ["name": .string(name), "kind": "attribute", "type": .string("\(type)")]
        case .toOne(let destination): ["name": .string(name), "kind": "toOne", "destination": .string(destination)]
        case .toMany(let destination): ["name": .string(name), "kind": "toMany", "destination": .string(destination)]
        }
    }
}

extension RowPage.Reference {
    fileprivate var json: JSONValue { ["entity": .string(entityName), "primaryKey": .integer(primaryKey)] }
}

extension RowPage.Cell {
    fileprivate var json: JSONValue {
        switch self {
        case .value(let value): value.json
        case .object(let reference): reference?.json ?? .null
        case .objects(let references): .array(references.map(\.json))
        case .unreadable(let problem): ["unreadable": .string(problem)]
        }
    }
}

extension ManagedValue {
    fileprivate var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .int(let number): .integer(number)
        case .double(let number): .real(number)
        case .decimal(let number): .string("\(number)")
        case .string(let text): .string(text)
        case .date(let date):
            ["iso8601": .string(ValueText.text(of: date)), "seconds": .real(date.timeIntervalSinceReferenceDate)]
        case .data(let data): .string(data.base64EncodedString())
        case .uuid(let uuid): .string(uuid.uuidString)
        case .url(let url): .string(url.absoluteString)
        case .object(let id): RowPage.Reference(id).json
        case .list(let values): .array(values.map(\.json))
        case .dictionary(let values):
            .object(values.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: $0.value.json) })
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}
