/// **Value.** A value inside the JSON of a codable attribute that the store keeps an index on.
///
/// ```swift
/// AttributeDescription("enclosure", .string, isCodable: true, indexedMembers: [IndexedMember("length", .integer64)])
/// // CREATE INDEX … ON ZARTICLE (CASE WHEN json_valid(ZENCLOSURE) THEN … json_extract(ZENCLOSURE, '$."length"') … END)
/// ```
/// The index serves conditions that compare the value with one of that type: with a number, a text, a Boolean or a date. It
/// is no part of the version hash, and Core Data does not know it. A store gets or loses the index when it is opened.
public struct IndexedMember: Sendable, Hashable {
    /// The names that lead to the value, separated by dots: `"size.width"`.
    public var path: String
    /// The type of the values that it is compared with. All numbers are one type in JSON.
    public var type: AttributeType

    /// Creates a description of an indexed value.
    public init(_ path: String, _ type: AttributeType) {
        self.path = path
        self.type = type
    }

    /// The names that lead to the value.
    var names: [String] { path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }

    /// A Boolean value indicating whether conditions compare values in JSON with those of the type.
    var isComparedInJSON: Bool {
        switch type {
        case .integer16, .integer32, .integer64, .double, .decimal, .boolean, .string, .binary, .uuid, .uri, .date: true
        // JSON has the digits of a Float, not the number that they stand for.
        case .float, .undefined, .transformable, .objectID, .composite: false
        }
    }

    /// Returns `true` if a key path and SQLite's paths can both spell a name.
    static func isSpellable(_ name: String) -> Bool {
        !name.isEmpty && name.first != "@" && !name.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    }
}
