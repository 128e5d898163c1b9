import DataMonkCore
import Foundation

/// **Confined.** Encodes values as managed values: coding keys become names.
struct ManagedValueEncoder: Encoder {
    /// **Confined.** The place that an encoded value goes to.
    final class Target {
        var value: ManagedValue?
        /// The targets of a keyed or an unkeyed container.
        var members: [(name: String, target: Target)] = []
        var isKeyed = false
        var isUnkeyed = false

        /// The finished value.
        var result: ManagedValue {
            if let value { return value }
            if isUnkeyed { return .list(members.map(\.target.result)) }
            return .dictionary(Dictionary(members.map { ($0.name, $0.target.result) }) { _, last in last })
        }

        func add(_ name: String) -> Target {
            let target = Target()
            members.append((name, target))
            return target
        }

        func put(_ value: some Encodable, at path: [any CodingKey]) throws {
            // An object may encode itself inside of itself.
            if path.count > JSONParser.maximumDepth {
                throw ImportError.deepValue(named: path.map(\.stringValue).joined(separator: "."))
            }
            // As they are: their own encoding is that of some format.
            if let value = value as? any ManagedAttribute, !(value is any RawRepresentable) {
                self.value = value.managedValue
            } else {
                try value.encode(to: ManagedValueEncoder(target: self, codingPath: path))
            }
        }
    }

    let target: Target
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func encode(_ value: some Encodable) throws -> ManagedValue {
        let target = Target()
        try target.put(value, at: [])
        return target.result
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        target.isKeyed = true
        return KeyedEncodingContainer(Keyed<Key>(target: target, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        target.isUnkeyed = true
        return Unkeyed(target: target, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(target: target, codingPath: codingPath) }

    struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let target: Target
        let codingPath: [any CodingKey]

        mutating func encodeNil(forKey key: Key) throws { target.add(key.stringValue).value = .null }

        mutating func encode(_ value: some Encodable, forKey key: Key) throws {
            try target.add(key.stringValue).put(value, at: codingPath + [key])
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            encoder(key).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder(key).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder {
            ManagedValueEncoder(target: target.add("super"), codingPath: codingPath)
        }

        mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

        private func encoder(_ key: Key) -> ManagedValueEncoder {
            ManagedValueEncoder(target: target.add(key.stringValue), codingPath: codingPath + [key])
        }
    }

    struct Unkeyed: UnkeyedEncodingContainer {
        let target: Target
        let codingPath: [any CodingKey]
        var count: Int { target.members.count }

        mutating func encodeNil() throws { target.add("").value = .null }
        mutating func encode(_ value: some Encodable) throws { try target.add("").put(value, at: path) }

        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            encoder.container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        mutating func superEncoder() -> any Encoder { encoder }

        private var encoder: ManagedValueEncoder { ManagedValueEncoder(target: target.add(""), codingPath: path) }

        /// The path of the element that was added last.
        private var path: [any CodingKey] { codingPath + [Place(intValue: count - 1)] }
    }

    /// **Value.** The place of an element in an array.
    private struct Place: CodingKey {
        let intValue: Int?
        var stringValue: String { "\(intValue ?? 0)" }

        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    struct Single: SingleValueEncodingContainer {
        let target: Target
        let codingPath: [any CodingKey]

        mutating func encodeNil() throws { target.value = .null }
        mutating func encode(_ value: some Encodable) throws { try target.put(value, at: codingPath) }
        // The kinds of numbers that are no attributes themselves.
        mutating func encode(_ value: Int8) throws { try put(value) }
        mutating func encode(_ value: UInt) throws { try put(value) }
        mutating func encode(_ value: UInt8) throws { try put(value) }
        mutating func encode(_ value: UInt16) throws { try put(value) }
        mutating func encode(_ value: UInt32) throws { try put(value) }
        mutating func encode(_ value: UInt64) throws { try put(value) }

        private func put(_ value: Any) throws {
            target.value = try ManagedValue(decoded: value, named: codingPath.map(\.stringValue).joined(separator: "."))
        }
    }
}

@available(*, unavailable)
extension ManagedValueEncoder: Sendable {}
