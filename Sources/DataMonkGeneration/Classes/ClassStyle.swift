package import DataMonkCore

/// **Value.** The style in which the properties of generated classes are written.
package enum ClassStyle: String, CaseIterable, Sendable {
    /// Variables, which `@EntityProperties` turns into properties. The application needs the trait `Macros`.
    case macro
    /// Accessors and a declaration, as the macro expands to.
    case plain
}

/// **Value.** The access level of generated classes and their members.
package enum ClassAccess: String, CaseIterable, Sendable {
    /// Code of the same module.
    case `internal`
    /// Code of the same package.
    case package
    /// Code of every module.
    case `public`

    /// The keyword and a space; nothing for the level of declarations without one.
    var prefix: String { self == .internal ? "" : "\(rawValue) " }
}

extension ClassAccess {
    /// The key of the user info in which an entity limits the access to generated code.
    static let key = "classAccess"

    /// Returns the access level that a model asks for: the lowest that its entities name, or public, as Xcode does it.
    ///
    /// A class that is written by hand may be internal, and then no public class can mention it.
    /// - Throws: `ModelError` if an entity names no access level.
    package static func wanted(by model: ManagedObjectModel) throws(ModelError) -> ClassAccess {
        var wanted: Set<ClassAccess> = []
        var problems: [ModelError.Problem] = []
        for entity in model.entities {
            guard let name = entity.description.userInfo[key] else { continue }
            if let access = ClassAccess(rawValue: name) {
                wanted.insert(access)
            } else {
                let message = "The \(key) in its user info is \"\(name)\". Write internal, package or public."
                problems.append(ModelError.Problem(kind: .invalidType, entityName: entity.name, message: message))
            }
        }
        guard problems.isEmpty else { throw ModelError(problems: problems) }
        return allCases.first(where: wanted.contains) ?? .public
    }
}
