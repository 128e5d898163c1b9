/// **Value.** A damage of one kind in one place of a store, and its remedy: a column whose references lead nowhere, a table
/// without an index, files that no row refers to.
///
/// ```swift
/// for finding in try Stack.examine(storeAt: url).findings where finding.remedy == .salvage {
///     print(finding.kind, finding.rows.map(\.primaryKey), finding.message)
/// }
/// ```
public struct StoreFinding: Sendable, Hashable {
    /// **Value.** A damaged row, by its keys.
    public struct Row: Sendable, Hashable {
        /// The primary key; for a link of a many-to-many relationship, the key in the first column of its table. For
        /// `wrongHighestKey`, the highest key of the table.
        public var primaryKey: Int64
        /// The key in the second column of the table of a many-to-many relationship; `nil` for all other rows.
        public var otherKey: Int64?

        /// Creates a row.
        public init(primaryKey: Int64, otherKey: Int64? = nil) {
            self.primaryKey = primaryKey
            self.otherKey = otherKey
        }
    }

    /// **Value.** The way to get a sound store.
    public enum Remedy: String, Sendable, Hashable {
        /// A repair of a copy corrects it and loses nothing that the store still has.
        case repair
        /// The data is lost, or nobody can tell which of it is right. A salvage makes a sound store of everything else.
        case salvage
        /// Something beside the store is missing, such as its folder with external data or its model. The message names it.
        case manual
    }

    /// The kind of damage.
    public var kind: Kind
    /// The entity concerned; `nil` if the damage is not one entity's.
    public var entityName: String?
    /// The property concerned, if it is one.
    public var propertyName: String?
    /// The table in the file, if it is one.
    public var table: String?
    /// The first 100 damaged rows, in the order of their keys.
    public var rows: [Row]
    /// The names of the first 100 files concerned, in byte order.
    public var files: [String]
    /// The number of damaged rows, files or parts of the file.
    public var count: Int
    /// The way to get a sound store.
    public var remedy: Remedy
    /// A description of the damage and its remedy, without values of attributes.
    public var message: String

    /// The maximum number of rows and of files that a finding lists.
    package static let maximumListed = 100

    package init(
        _ kind: Kind, entityName: String? = nil, propertyName: String? = nil, table: String? = nil, rows: [Row] = [],
        files: [String] = [], count: Int = 1, remedy: Remedy, message: String
    ) {
        self.kind = kind
        self.entityName = entityName
        self.propertyName = propertyName
        self.table = table
        self.rows = rows
        self.files = files
        self.count = count
        self.remedy = remedy
        self.message = message
    }
}

extension StoreFinding: CustomStringConvertible {
    /// The kind, the place and the message, in one line.
    public var description: String {
        let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
        return "\(kind.rawValue)\(place.isEmpty ? "" : " \(place)"): \(message)"
    }
}
