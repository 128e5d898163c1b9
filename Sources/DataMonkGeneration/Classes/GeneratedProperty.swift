import DataMonkCore

/// **Value.** A property of a generated class.
struct GeneratedProperty {
    /// **Value.** An attribute with a Swift type.
    struct Attribute {
        /// The type of the property, optional or not.
        var type: String
        /// The expression for the value in a new object, or `nil` if there is none.
        var defaultValue: String?
        /// The expressions for the options.
        var options: [String] = []
        var isDerived = false
        var originalName: String?
        var hashModifier: String?
        var userInfo: [String: String] = [:]
        /// The description to declare it by, where the options do not say everything. Only the plain style can.
        var description: AttributeDescription?
    }

    /// **Value.** A relationship.
    struct Relationship {
        /// The type of the property, such as `Set<Person>`.
        var type: String
        var destination: String
        var isToMany: Bool
        var isOrdered: Bool
        var options: [String] = []
        var deleteRule: DeleteRule
        /// The minimum count, where the options do not say it.
        var minimumCount: Int?
        var maximumCount: Int?
        var originalName: String?
        var inverseName: String?
        /// A Boolean value indicating whether the macro style writes the inverse on this side, as a key path.
        var namesInverse = false
        var hashModifier: String?
        var userInfo: [String: String] = [:]
    }

    enum Kind {
        case attribute(Attribute)
        case relationship(Relationship)
        /// An attribute whose type has no counterpart in Swift. The class only declares it.
        case opaque(AttributeDescription)
        /// Objects found by a fetch, of this class. The class only has a function for them.
        case fetched(destination: String)
    }

    let name: String
    var documentation: String
    /// The property's place in a row. A fetched property has none.
    var slot: Int
    var kind: Kind
}
