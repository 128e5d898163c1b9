import DataMonkCore

/// **Value.** A class to be written for an entity: everything that its text says, in no particular style.
struct GeneratedClass {
    let entityName: String
    let name: String
    /// The class of the superentity; `nil` for a direct subclass of the base class.
    var superclass: String?
    /// A Boolean value indicating whether no other class of the model inherits from it.
    var isLeaf = true
    var isAbstract = false
    var documentation: String
    var originalName: String?
    var hashModifier: String?
    var unique: [[String]] = []
    var indexes: [[String]] = []
    /// The slot of the first property, after those of the superclass.
    var firstSlot: Int
    var properties: [GeneratedProperty] = []
    var fetches: [GeneratedFetch] = []
    var codeGeneration: CodeGeneration
    /// A Boolean value indicating whether the model names the class. Objects of an entity without one need none.
    var isNamedByModel: Bool
    /// The names of the enums that its attributes use.
    var enumNames: [String]

    /// A Boolean value indicating whether macros cannot declare all of its properties.
    var needsPlainStyle: Bool { properties.contains { if case .opaque = $0.kind { true } else { false } } }
}

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

/// **Value.** A function of a generated class that fetches its objects.
struct GeneratedFetch {
    /// **Value.** A parameter, and the part of the condition that it stands for.
    struct Parameter: Hashable {
        var label: String
        /// The name of the variable in the format, or of the property that has to be equal.
        var key: String
        var type: String
    }

    enum Kind {
        /// The one object with these values.
        case unique
        /// The objects that a fetch request of the model finds.
        case template(FetchRequestTemplate)
    }

    var name: String
    var documentation: String
    var parameters: [Parameter]
    var kind: Kind

    /// The name with the labels, which no other function of a class or its superclasses can have.
    var signature: String { "\(name)(\(parameters.map { "\($0.label):" }.joined()))" }

    /// Returns a name for a local variable: the name itself, or with a number if a parameter has it.
    func localName(_ name: String) -> String {
        let labels = Set(parameters.map(\.label))
        return labels.contains(name) ? (2...).lazy.map { "\(name)\($0)" }.first { !labels.contains($0) } ?? name : name
    }
}

/// **Value.** An enum to be written for the values of attributes.
struct GeneratedEnum: Hashable {
    /// **Value.** A case and its raw value.
    struct Case: Hashable {
        var name: String
        var value: ManagedValue
    }

    var name: String
    var rawType: String
    var cases: [Case]
}
