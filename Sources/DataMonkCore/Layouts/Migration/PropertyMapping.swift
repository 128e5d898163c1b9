/// **Value.** The source of one property in an ``EntityMapping``.
public struct PropertyMapping: Sendable {
    package enum Rule: Sendable {
        /// The old property, whatever the names say.
        case source(String)
        /// The old to-many, of which the object stays that has the least or the greatest value of an attribute.
        case chosen(from: String, by: String, isAscending: Bool)
        /// No source: the property begins with its default value.
        case none
        /// A value made of the named attributes; `nil` if it cannot be made.
        case computed(from: [String], @Sendable (SourceRow, AttributeType) throws -> ManagedValue?)
    }

    /// The name of the property in the new version.
    public let name: String
    package let rule: Rule

    /// A property that had another name.
    public static func renamed(_ name: String, from source: String) -> PropertyMapping {
        PropertyMapping(name: name, rule: .source(source))
    }

    /// A property that is new, although the old version has one that would be taken for it. An attribute begins with its
    /// default value. The old values are discarded, with permission; see ``DiscardableData``. None is required for a store
    /// of a version that the application has.
    public static func added(_ name: String) -> PropertyMapping { PropertyMapping(name: name, rule: .none) }

    /// A to-one that was a to-many. It keeps the object with the least or the greatest value of an attribute.
    ///
    /// ```swift
    /// .chosen("cover", from: "photos", by: "rating", ascending: false)
    /// ```
    /// Objects without a value are chosen last, and of equal ones the one with the lowest key. Texts are compared by their
    /// bytes. The other links are discarded; the mapping is the permission. Where the inverse has room for one as well and
    /// keeps another object, the to-one is empty. A required inverse that would be empty refuses the migration. All entities
    /// that share the to-one choose alike.
    ///
    /// - Parameters:
    ///   - name: The name of the to-one in the new version.
    ///   - source: The name of the to-many in the old version; `nil` if it is the same.
    ///   - attribute: The name of a stored attribute of the to-many's objects in the old version.
    ///   - ascending: `true` for the least value, `false` for the greatest.
    public static func chosen(
        _ name: String, from source: String? = nil, by attribute: String, ascending: Bool = true
    ) -> PropertyMapping {
        PropertyMapping(name: name, rule: .chosen(from: source ?? name, by: attribute, isAscending: ascending))
    }

    /// An attribute that gets the same value in every object.
    public static func constant(_ name: String, _ value: ManagedValue) -> PropertyMapping {
        PropertyMapping(name: name, rule: .computed(from: []) { _, _ in value })
    }

    /// An attribute of another type, or with other values.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the new version.
    ///   - source: Its name in the old version; `nil` if it is the same.
    ///   - conversion: The conversion. A value for which it has no result ends the migration.
    public static func converted(
        _ name: String, from source: String? = nil, by conversion: ValueConversion = .standard
    ) -> PropertyMapping {
        let source = source ?? name
        return PropertyMapping(
            name: name,
            rule: .computed(from: [source]) { row, type in try conversion.value(row.value(forKey: source), as: type) })
    }

    /// An attribute that is computed.
    ///
    /// ```swift
    /// .computed("fullName", from: ["first", "last"]) { row in
    ///     guard case .string(let first) = try row.value(forKey: "first") else { return nil }
    ///     return .string(first)
    /// }
    /// ```
    /// The closure runs once for each object, in the transaction of the migration. It may run again in a later attempt if
    /// that transaction fails.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the new version.
    ///   - sources: The old attributes that the closure reads. They count as kept.
    ///   - body: Returns the value; `.null` for none. An error that it throws ends the migration.
    public static func computed(
        _ name: String, from sources: [String], _ body: @escaping @Sendable (SourceRow) throws -> ManagedValue
    ) -> PropertyMapping {
        PropertyMapping(name: name, rule: .computed(from: sources) { row, _ in try body(row) })
    }
}
