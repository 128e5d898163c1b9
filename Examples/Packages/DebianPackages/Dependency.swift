/// **Value.** One thing a package needs: any one of some alternatives, `exim4 | mail-transport-agent`.
public struct Dependency: Hashable, Sendable {
    /// In the order of preference; never empty.
    public let alternatives: [Alternative]

    /// **Value.** One way to satisfy a dependency: a package's name, and what narrows it.
    public struct Alternative: Hashable, Sendable {
        /// The package's name, or one that packages provide.
        public let name: String
        /// What stands behind the name's colon: an architecture, or `any`.
        public var qualifier: String?
        /// The versions that will do: `(>= 1.2)`.
        public var versions: VersionRange?
        /// The architectures for which it is said at all: `[amd64 arm64]`, or all but `[!i386]`. Empty means all.
        public var architectures: [String] = []
        /// The build profiles for which it is said at all: `<!nocheck> <cross>`; one list must hold. Empty means all.
        public var profiles: [[String]] = []

        /// A package of any version, architecture and profile.
        public init(_ name: String) {
            self.name = name
        }
    }

    /// **Value.** A bound on a version.
    public struct VersionRange: Hashable, Sendable {
        /// How a version must compare.
        public let relation: Relation
        /// What it is compared with.
        public let version: String
    }

    /// **Value.** How a version must compare with the bound. `<` and `>` of old files mean `<=` and `>=`.
    public enum Relation: String, Sendable {
        case earlier = "<<"
        case earlierOrEqual = "<="
        case equal = "="
        case laterOrEqual = ">="
        case later = ">>"
    }

    /// Reads the value of a field such as Depends: `a (>= 1), b | c, d:any [amd64] <!nocheck>`.
    ///
    /// - Throws: ``DependencyError`` with the place of the first character that does not fit.
    public static func list(_ text: String) throws(DependencyError) -> [Dependency] {
        var parser = DependencyParser(text)
        return try parser.list()
    }
}

extension Dependency.Alternative {
    /// Whether it is said for an architecture, outside of any build profile.
    public func applies(on architecture: String) -> Bool {
        appliesByArchitecture(architecture) && appliesWithoutProfiles
    }

    private func appliesByArchitecture(_ architecture: String) -> Bool {
        guard let first = architectures.first else { return true }
        let names = architectures.map { $0.hasPrefix("!") ? $0.dropFirst() : $0[...] }
        let isNamed = names.contains { name in
            name == "any" || name == architecture || name == "linux-any" && !architecture.contains("-")
        }
        return first.hasPrefix("!") ? !isNamed : isNamed
    }

    private var appliesWithoutProfiles: Bool {
        profiles.isEmpty || profiles.contains { $0.allSatisfy { $0.hasPrefix("!") } }
    }
}
