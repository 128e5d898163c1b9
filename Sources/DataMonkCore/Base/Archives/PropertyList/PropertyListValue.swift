package import Foundation

/// **Value.** The contents of a binary property list, including the UIDs of keyed archives.
///
/// Foundation's `PropertyListSerialization` hides UIDs on Linux and trusts its input; see ``BinaryPropertyListReader``.
package indirect enum PropertyListValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case date(Date)
    case data(Data)
    /// An index into the objects of a keyed archive.
    case uid(UInt64)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue {
    /// Returns the value of `key`, or `nil` if there is none or this is not a dictionary.
    package subscript(key: String) -> PropertyListValue? {
        if case .dictionary(let dictionary) = self { dictionary[key] } else { nil }
    }

    package var stringValue: String? { if case .string(let string) = self { string } else { nil } }

    package var integerValue: Int64? { if case .integer(let integer) = self { integer } else { nil } }

    package var dataValue: Data? { if case .data(let data) = self { data } else { nil } }

    package var arrayValue: [PropertyListValue]? { if case .array(let array) = self { array } else { nil } }

    package var dictionaryValue: [String: PropertyListValue]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }
}
