import DataMonk
import Foundation

/// **Value.** A value of the conformance cases: JSON, with a key for what JSON has no form for.
indirect enum ConformanceValue: Decodable, Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case date(Double)
    case data(Data)
    case decimal(Decimal)
    case list([ConformanceValue])
    case dictionary([String: ConformanceValue])
    /// Another object: "Entity/index".
    case reference(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([ConformanceValue].self) {
            self = .list(value)
        } else {
            self = try Self.keyed(try container.decode([String: ConformanceValue].self))
        }
    }

    private static func keyed(_ values: [String: ConformanceValue]) throws -> ConformanceValue {
        guard values.count == 1, let (key, value) = values.first else { return .dictionary(values) }
        switch (key, value) {
        case ("$d", .double), ("$set", .list): return value
        case ("$d", .int(let number)): return .double(Double(number))
        case ("$date", .int(let seconds)): return .date(Double(seconds))
        case ("$date", .double(let seconds)): return .date(seconds)
        case ("$dec", .string(let text)):
            return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) } ?? .null
        case ("$data", .string(let digits)): return .data(bytes(of: digits))
        case ("$dict", .dictionary): return value
        case ("$ref", .string(let id)): return .reference(id)
        default: return .dictionary(values)
        }
    }

    private static func bytes(of digits: String) -> Data {
        let digits = Array(digits.utf8)
        return Data(
            stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
            })
    }

    /// The value as plain data.
    var plain: ManagedValue {
        switch self {
        case .list(let values): .list(values.map(\.plain))
        case .dictionary(let values): .dictionary(values.mapValues(\.plain))
        default: constant()
        }
    }

    /// The value as a constant; `object` finds the objects.
    func constant(_ object: (String) -> ManagedValue = { _ in .null }) -> ManagedValue {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .date(let seconds): .date(Date(timeIntervalSince1970: seconds))
        case .data(let data): .data(data)
        case .decimal(let number): .decimal(number)
        case .list(let values): .list(values.map { $0.constant(object) })
        // IN looks into a dictionary's values.
        case .dictionary(let values): .list(values.values.map { $0.constant(object) })
        case .reference(let id): object(id)
        }
    }
}
