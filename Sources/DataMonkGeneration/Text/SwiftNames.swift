import DataMonkCore

/// **Value.** The names of Swift: which words need backticks, and how a type is written beside the classes of a model.
struct SwiftNames {
    /// The module of each type that generated code uses.
    private static let modules: [String: String] = {
        let byModule: [String: [String]] = [
            "Swift": [
                "AnyKeyPath", "Bool", "CaseIterable", "Double", "Float", "Int", "Int16", "Int32", "Int64", "Sequence",
                "Set",
                "String",
            ],
            "Foundation": ["Data", "Date", "Decimal", "URL", "UUID"],
            "DataMonk": [
                "AttributeDescription", "Condition", "EntityDeclaration", "FormatArgument", "ManagedAttribute",
                "ManagedObject", "Query", "QueryOptions", "Reader", "Transformable",
            ],
        ]
        return Dictionary(
            byModule.flatMap { module, names in names.map { ($0, module) } }, uniquingKeysWith: { first, _ in first })
    }()
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
    /// The names that a class cannot have, because code in it could not say what it means.
    private static let unusableClassNames: Set<String> = [
        "Any", "AnyObject", "DataMonk", "DataMonkCore", "Foundation", "Heir", "Never", "Optional", "Protocol", "Self",
        "Swift", "Type", "Void",
    ]
    /// The names of macros, and of types in what they expand to.
    private static let namesOfMacros: Set<String> = [
        "AnyKeyPath", "Attribute", "Entity", "EntityDeclaration", "EntityProperties", "Int", "ManagedProperty",
        "Relationship", "Transient",
    ]

    /// The names of the model's own types.
    let ownTypes: Set<String>

    /// Returns a name as code, in backticks if it is a keyword.
    static func identifier(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns a type's name as code, with its module where the model has a type of that name, or in backticks.
    func type(_ name: String) -> String {
        guard ownTypes.contains(name), let module = Self.modules[name] else { return Self.identifier(name) }
        return "\(module).\(name)"
    }

    /// Returns `true` if the classes of a model cannot have a name.
    static func isUnusable(asClass name: String, style: ClassStyle) -> Bool {
        unusableClassNames.contains(name) || style == .macro && namesOfMacros.contains(name)
    }

    /// Returns `true` if a property with a name would hide a type that the class's code uses, or a member that it inherits.
    static func isUnusable(asProperty name: String) -> Bool {
        modules[name] != nil || ["formatArgument", "hasConflict", "hashValue", "keyNames"].contains(name)
    }

    /// Returns `true` if a name is one word of Swift.
    static func isIdentifier(_ name: some StringProtocol) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart, name != "_" else {
            return false
        }
        return name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    }

    /// Returns a name with a small first letter: `olderThan` for `OlderThan`, `urlFor` for `URLFor`, `age` for `AGE`.
    static func lowerCamel(_ name: String) -> String {
        let capitals = name.prefix { $0.isUppercase }
        let count = capitals.count == name.count || capitals.count < 2 ? capitals.count : capitals.count - 1
        return name.prefix(count).lowercased() + name.dropFirst(count)
    }

    /// Returns a name for a type: `ShopModel2` for `Shop-model 2`.
    static func typeName(_ name: String) -> String {
        let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let joined = words.map { upperCamel(String($0)) }.joined()
        return isIdentifier(joined) ? joined : "Model\(joined)"
    }

    /// Returns a name with a capital first letter.
    static func upperCamel(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
