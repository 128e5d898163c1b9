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
