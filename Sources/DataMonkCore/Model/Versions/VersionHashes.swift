package import Foundation

/// **Value.** Core Data's version hashes, which decide whether a store belongs to a model.
///
/// ```
/// entity       SHA-256( name | isAbstract: 1 byte | hash of the superentity?
///                       | hash of each stored attribute and relationship, by name | modifier? | uniqueness )
/// property     SHA-256( name | flags: UInt16 | modifier? )           flags: 1 optional, 2 transient, 4 read-only
/// attribute    SHA-256( property | type: Int32 | 0x01 if external | 0x01 if kept in the history )
/// relationship SHA-256( property | destination | inverse? | maximum: Int32 | minimum: Int32 | UInt16 1 if ordered )
/// derived      SHA-256( text of the derivation )
/// composite    SHA-256( hash of each element, by name )
/// ```
/// Text is UTF-8 without a length or terminator; integers are little-endian.
package struct VersionHashes: Sendable, Hashable {
    /// The version of the algorithm. Core Data has used a single one since 2005.
    package static let version = 3
    /// The hash of each entity.
    package let byEntityName: [String: Data]

    /// Creates version hashes from those recorded in a store.
    package init(byEntityName: [String: Data]) { self.byEntityName = byEntityName }

    /// - Parameters:
    ///   - incomplete: the entities of which something was left out: what is computed of them is not their hash.
    ///   - stored: the hashes that stand beside the model.
    init(of entities: [Entity], incomplete: [Entity] = [], stored: [String: Data] = [:]) {
        var hashes: [String: Data] = [:]
        for entity in incomplete { hashes[entity.name] = stored[entity.name] }
        var properties = PropertyHashes()
        for entity in entities { Self.addHash(of: entity, to: &hashes, &properties) }
        byEntityName = hashes
    }

    /// Creates the version hashes that a store records: those of the entities it contains.
    package init(of entities: [Entity], in model: ManagedObjectModel) {
        let all = model.entityVersionHashesByName
        if entities.count == all.count {
            byEntityName = all
        } else {
            let names = Set(entities.map(\.name))
            byEntityName = all.filter { names.contains($0.key) }
        }
    }

    /// SHA-256 over the hashes in the order of their names, in base 64.
    package var checksum: String {
        var text = HashedText()
        for (_, entityHash) in inOrder { text.append(bytes: entityHash) }
        return SHA2.sha256.hash(text.bytes).base64EncodedString()
    }

    /// SHA-512 over names and hashes in the order of the names, in base 64.
    package var digest: String {
        var text = HashedText()
        for (name, entityHash) in inOrder {
            text.append(name)
            text.append(bytes: entityHash)
        }
        return SHA2.sha512.hash(text.bytes).base64EncodedString()
    }

    private var inOrder: [(key: String, value: Data)] {
        byEntityName.sorted { String.precedesInBytes($0.key, $1.key) }
    }

    @discardableResult
    private static func addHash(
        of entity: Entity, to hashes: inout [String: Data], _ properties: inout PropertyHashes
    ) -> Data {
        if let known = hashes[entity.name] { return known }
        var text = HashedText()
        text.append(entity.name)
        text.append(UInt8(entity.isAbstract ? 1 : 0))
        if let superentity = entity.superentity {
            text.append(bytes: addHash(of: superentity, to: &hashes, &properties))
        }
        let stored = entity.properties.filter { !$0.isTransient }
        for property in stored.sorted(by: { String.precedesInBytes($0.name, $1.name) }) {
            text.append(bytes: properties.hash(of: property))
        }
        text.append(entity.description.versionHashModifier)
        let constraints = entity.description.uniquenessConstraints.map { $0.joined(separator: ".") }
        for constraint in constraints.sorted(by: String.precedesInBytes) { text.append(constraint) }
        let hash = text.hash
        hashes[entity.name] = hash
        return hash
    }

    /// Returns the hash of a stored property.
    package static func hash(of property: Entity.Property) -> Data {
        var properties = PropertyHashes()
        return properties.hash(of: property)
    }
}

extension VersionHashes {
    /// The hashes of properties. Equal attributes are hashed once: many entities of a model have an `id` and a `name`.
    private struct PropertyHashes {
        /// The hashes of plain attributes, by everything that goes into them.
        private var known: [[UInt8]: Data] = [:]

        mutating func hash(of property: Entity.Property) -> Data {
            switch property {
            case .attribute(let attribute): hash(of: attribute.description)
            case .relationship(let relationship): hash(of: relationship)
            }
        }

        private mutating func hash(of attribute: AttributeDescription) -> Data {
            if let derivation = attribute.derivationExpression {
                var text = HashedText()
                text.append(derivation)
                return text.hash
            }
            if attribute.type == .composite {
                var text = HashedText()
                let elements = attribute.elements.sorted { String.precedesInBytes($0.name, $1.name) }
                for element in elements { text.append(bytes: hash(of: element)) }
                return text.hash
            }
            let key = key(of: attribute)
            if let hash = known[key] { return hash }
            let hash = plainHash(of: attribute)
            known[key] = hash
            return hash
        }

        /// Returns everything that goes into the hash of a plain attribute. A zero, which no name contains, ends the name.
        private func key(of attribute: AttributeDescription) -> [UInt8] {
            var key = HashedText()
            key.append(attribute.name)
            key.append(UInt8(0))
            key.append(Int32(attribute.type.rawValue))
            var flags: UInt8 = attribute.isOptional ? 1 : 0
            if attribute.isTransient { flags |= 2 }
            if attribute.allowsExternalBinaryDataStorage { flags |= 4 }
            if attribute.preservesValueInHistoryOnDeletion { flags |= 8 }
            key.append(flags)
            key.append(attribute.versionHashModifier)
            return key.bytes
        }

        private func plainHash(of attribute: AttributeDescription) -> Data {
            var text = HashedText()
            text.append(
                bytes: propertyHash(
                    attribute.name, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
                    modifier: attribute.versionHashModifier))
            text.append(Int32(attribute.type.rawValue))
            if attribute.allowsExternalBinaryDataStorage { text.append(UInt8(1)) }
            if attribute.preservesValueInHistoryOnDeletion { text.append(UInt8(1)) }
            return text.hash
        }

        private func hash(of relationship: Entity.Relationship) -> Data {
            let description = relationship.description
            var text = HashedText()
            text.append(
                bytes: propertyHash(
                    description.name, isOptional: description.isOptional, isTransient: description.isTransient,
                    modifier: description.versionHashModifier))
            text.append(description.destinationEntityName)
            if let inverse = relationship.inverse, inverse !== relationship { text.append(inverse.name) }
            text.append(Int32(clamping: description.maxCount))
            text.append(Int32(clamping: description.minCount))
            if description.isOrdered { text.append(UInt16(1)) }
            return text.hash
        }

        private func propertyHash(_ name: String, isOptional: Bool, isTransient: Bool, modifier: String?) -> Data {
            var text = HashedText()
            text.append(name)
            text.append(UInt16((isOptional ? 1 : 0) | (isTransient ? 2 : 0)))
            text.append(modifier)
            return text.hash
        }
    }

    /// The bytes to be hashed.
    private struct HashedText {
        private(set) var bytes: [UInt8] = []

        init() { bytes.reserveCapacity(64) }

        var hash: Data { SHA2.sha256.hash(bytes) }

        mutating func append(_ text: String?) {
            if let text { bytes.append(contentsOf: text.utf8) }
        }

        mutating func append(bytes hash: some ContiguousBytes) {
            hash.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }

        mutating func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }
}
