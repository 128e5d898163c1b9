/// **Value.** One problem of a model or a migration: its kind, its place, and its remedy. Used as ``ModelError/Problem`` and
/// ``MigrationError/Problem``.
public struct LocatedProblem<ProblemKind: Sendable & Hashable>: Sendable, Hashable {
    /// The kinds of problems.
    public typealias Kind = ProblemKind

    /// The kind of problem.
    public var kind: Kind
    /// The entity concerned; `nil` if the problem concerns the model as a whole. In a migration, the entity of the new
    /// version, or of the old one if the new version has removed it.
    public var entityName: String?
    /// The property, index or constraint concerned.
    public var propertyName: String?
    /// The number of objects, values or links that a migration would discard, or of objects without a link that they must
    /// have; `nil` for other problems.
    public var count: Int?
    /// A description of the problem and its remedy.
    public var message: String

    /// Creates a problem.
    public init(
        kind: Kind, entityName: String? = nil, propertyName: String? = nil, count: Int? = nil, message: String
    ) {
        self.kind = kind
        self.entityName = entityName
        self.propertyName = propertyName
        self.count = count
        self.message = message
    }
}

extension LocatedProblem: CustomStringConvertible {
    /// The place and the message, such as `Person.friend: …`.
    public var description: String {
        let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? message : "\(place): \(message)"
    }
}
