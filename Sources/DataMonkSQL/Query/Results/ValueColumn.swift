package import DataMonkCore
import Foundation

/// **Value.** One column of a SELECT for values: what a selection became.
package struct ValueColumn: Sendable {
    /// The selection's name.
    package let alias: String
    /// The position of the value in the result.
    package let position: Int
    /// What kind of value it is.
    package let kind: ValueKind
    /// Of an object: the position of its entity number, nil where it is of one entity only.
    package let entityColumn: Int?

    /// A column with an attribute's value.
    package init(_ attribute: Entity.Attribute, at position: Int) {
        self.init(alias: attribute.name, position: position, kind: ValueKind(attribute), entityColumn: nil)
    }

    init(alias: String, position: Int, kind: ValueKind, entityColumn: Int?) {
        self.alias = alias
        self.position = position
        self.kind = kind
        self.entityColumn = entityColumn
    }

    /// The value of the selection as the database gives it.
    ///
    /// - Parameter raw: `.int`, `.double`, `.string`, `.data` or `.null`, by the type of the value in the row.
    package func value(_ raw: ManagedValue) -> ManagedValue {
        switch (kind, raw) {
        case (_, .null): .null
        // Exact figures of decimals.
        case (.decimal, .string(let text)):
            Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) } ?? raw
        case (.uuid, .data(let bytes)) where bytes.count == 16:
            .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case (.url, .string(let text)): URL(string: text).map { .url($0) } ?? raw
        default: kind.column(raw)
        }
    }
}
