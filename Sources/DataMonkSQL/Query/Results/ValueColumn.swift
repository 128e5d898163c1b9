package import DataMonkCore
import Foundation

/// **Value.** One column of a SELECT for values, compiled from a selection.
package struct ValueColumn: Sendable {
    /// The selection's name.
    package let alias: String
    /// The position of the value in the result.
    package let position: Int
    package let kind: ValueKind
    /// For an object, the position of its entity number; `nil` if it can be of one entity only.
    package let entityColumn: Int?
}

extension ValueColumn {
    /// Creates a column with an attribute's value.
    package init(_ attribute: Entity.Attribute, at position: Int) {
        self.init(alias: attribute.name, position: position, kind: ValueKind(attribute), entityColumn: nil)
    }

    /// **Value.** A form in the database that a column shows as it is.
    package enum PlainForm: Sendable {
        case integer
        case double
        case string
    }

    /// The form in which most values of the column are, and in which `value(_:)` returns them unchanged.
    package var plainForm: PlainForm? {
        switch kind {
        case .integer: .integer
        case .floating: .double
        case .string: .string
        default: nil
        }
    }

    /// Returns the value of the selection for its form in the database.
    ///
    /// - Parameter raw: `.int`, `.double`, `.string`, `.data` or `.null`, by the type of the value in the row.
    package func value(_ raw: ManagedValue) -> ManagedValue {
        switch (kind, raw) {
        case (_, .null): .null
        // An exact aggregate of decimals.
        case (.decimal, .string(let text)):
            Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) } ?? raw
        case (.uuid, .data(let bytes)) where bytes.count == 16:
            .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case (.url, .string(let text)): URL(string: text).map { .url($0) } ?? raw
        default: kind.column(raw)
        }
    }
}
