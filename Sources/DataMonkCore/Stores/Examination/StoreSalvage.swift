public import Foundation

/// **Value.** The salvage of a damaged store: a new store with everything that could be read, and what was lost.
public struct StoreSalvage: Sendable {
    /// **Value.** The objects of one entity that were saved and lost.
    public struct Count: Sendable, Hashable {
        /// The number of objects in the new store.
        public var savedObjects = 0
        /// The number of objects that are known to have existed and could not be read: indexes or other rows name them.
        public var lostObjects = 0
        /// The number of keys, beyond those of the lost objects, in the parts of the table that could not be read. Each of
        /// them may or may not have been an object. At most as many as the file has room for; 0 if an index lists all
        /// objects, since those are known to be lost then.
        public var unreadableKeys = 0
        /// The number of values that saved objects have lost: values of the wrong type, values in files that were
        /// missing or could not be read, and values
        /// that must be unique and were not.
        public var lostValues = 0
        /// The number of links and references of saved objects that were lost: they led to lost objects, or contradicted each
        /// other. Links in unreadable parts of a table of links are included, whether or not there were so many.
        public var lostLinks = 0
        /// A Boolean value indicating whether more may be lost than is counted: the table or a column is missing, or pages are
        /// damaged and no index lists all objects. A damaged page may look sound and have fewer rows.
        public var mayHaveLostMore = false

        package init() {}

        /// A Boolean value indicating whether it is known that nothing was lost.
        public var isWhole: Bool {
            lostObjects + unreadableKeys + lostValues + lostLinks == 0 && !mayHaveLostMore
        }
    }

    /// The new store.
    public var url: URL
    /// The counts for each entity of the model, by name.
    public var counts: [String: Count]
    /// The names of the files of external data that were missing or could not be read, in order. Their values are among the
    /// lost ones.
    public var lostFiles: [String]
    /// A Boolean value indicating whether the store had a history. The new one has none.
    public var losesHistory: Bool

    package init(url: URL, counts: [String: Count], lostFiles: [String], losesHistory: Bool) {
        self.url = url
        self.counts = counts
        self.lostFiles = lostFiles
        self.losesHistory = losesHistory
    }

    /// A Boolean value indicating whether it is known that nothing was lost.
    public var isWhole: Bool { !losesHistory && counts.values.allSatisfy(\.isWhole) }
}
