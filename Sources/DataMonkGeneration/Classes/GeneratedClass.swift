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
    var userInfo: [String: String] = [:]
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
    var needsPlainStyle: Bool {
        properties.contains { property in
            switch property.kind {
            case .attribute(let attribute): attribute.description != nil
            case .opaque: true
            case .relationship, .fetched: false
            }
        }
    }
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
