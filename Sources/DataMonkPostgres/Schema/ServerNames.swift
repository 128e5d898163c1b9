#if Postgres
    /// **Value.** The names of a store's tables, columns and indexes, by what they stand for.
    ///
    /// A name is made with its table or column, and is kept in the store: other versions of the model, and of this library,
    /// find it there. So rules may change, and a property that takes the place of another may have a name of its own.
    ///
    /// Names of the store's own begin with an underscore, and no name of a model's does.
    struct ServerNames: Sendable, Hashable {
        /// **Value.** The meaning of a name: a part of a property, or an entity as a whole.
        struct Subject: Sendable, Hashable {
            enum Kind: String, Sendable, CaseIterable {
                /// The table of a root entity, the sequence of its ids, and the constraint of its primary key.
                case table, sequence, primaryKey = "primary key"
                /// A value, or the id of a to-one's destination.
                case column
                /// The number of that destination's entity.
                case entityColumn = "entity"
                /// The position in an ordered relationship.
                case orderColumn = "order"
                /// The position in the inverse of the relationship that a link table is named after.
                case ownerOrderColumn = "owner order"
                /// The table of a many-to-many relationship, and its columns.
                case linkTable = "links"
                case ownerColumn = "owner"
                case elementColumn = "element"
                /// An index over the keys of a relationship.
                case keyIndex = "key index"
                /// An index of the model's, by its name, and one of unique values, by their properties, joined by commas.
                case fetchIndex = "index", uniqueIndex = "unique index"
            }

            var kind: Kind
            var entity: String
            /// Empty for an entity as a whole; `address.city` for an element of a composite attribute.
            var property = ""
        }

        /// **Value.** A name and where it is taken.
        struct Entry: Sendable, Hashable {
            var subject: Subject
            /// The table of a column; empty for what stands beside tables.
            var table: String
            var name: String
        }

        /// The names in the order in which they were made.
        private(set) var entries: [Entry] = []
        private var entriesBySubject: [Subject: Entry] = [:]
        private var taken: Set<[String]> = []
        /// The taken names that belong to no subject.
        private var reserved: Set<[String]> = []
        private var asked: Set<Subject> = []

        /// Creates the names of a new store.
        init() {}

        /// Creates the names that a store has.
        init(_ entries: [Entry]) {
            for entry in entries { insert(entry) }
        }

        /// The columns that PostgreSQL adds to each table.
        private static let systemColumns: Set<String> = ["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"]

        /// Returns the name of a subject; makes one if it has none.
        ///
        /// - Parameters:
        ///   - table: The table of a column; empty for what stands beside tables.
        ///   - proposal: The name to have, unless it is taken or may not be used.
        mutating func name(of subject: Subject, in table: String = "", like proposal: String) -> String {
            asked.insert(subject)
            if let entry = entriesBySubject[subject] { return entry.name }
            let base = proposal.hasPrefix("_") ? "x" + proposal : proposal
            var (name, number) = (ServerName.shortened(base, suffix: ""), 1)
            while taken.contains([table, name]) || !table.isEmpty && Self.systemColumns.contains(name) {
                number += 1
                name = ServerName.shortened(base, suffix: "_\(number)")
            }
            insert(Entry(subject: subject, table: table, name: name))
            return name
        }

        private mutating func insert(_ entry: Entry) {
            entries.append(entry)
            entriesBySubject[entry.subject] = entry
            taken.insert([entry.table, entry.name])
        }

        // MARK: Migrating

        /// The names that were asked for. Others belong to what another version of the model has.
        var used: [Entry] { entries.filter { asked.contains($0.subject) } }

        /// Returns the name that a subject has; `nil` if it has none.
        func entry(of subject: Subject) -> Entry? { entriesBySubject[subject] }

        /// Keeps a name from being given to a subject.
        mutating func reserve(_ name: String, in table: String) {
            reserved.insert([table, name])
            taken.insert([table, name])
        }

        /// Keeps the names that are reserved in others from being given to a subject.
        mutating func reserve(likeIn others: ServerNames) {
            reserved.formUnion(others.reserved)
            taken.formUnion(others.reserved)
        }
    }
#endif
