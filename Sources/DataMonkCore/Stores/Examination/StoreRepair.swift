public import Foundation

/// **Value.** The repair of a store: a sound copy of it, and everything that was changed to make it so.
public struct StoreRepair: Sendable {
    /// **Value.** A finding, and the number of changes that resolved it.
    public struct Action: Sendable, Hashable {
        /// The finding in the original.
        public var finding: StoreFinding
        /// The number of rows changed or removed; 0 if it was none: an index was built again, a file was not copied.
        public var changedRows: Int
        /// A description of the changes.
        public var message: String

        package init(finding: StoreFinding, changedRows: Int, message: String) {
            self.finding = finding
            self.changedRows = changedRows
            self.message = message
        }
    }

    /// The repaired copy.
    public var url: URL
    /// The changes, in their order. Empty if the store was sound; the copy then has the same contents.
    public var actions: [Action]

    package init(url: URL, actions: [Action]) {
        self.url = url
        self.actions = actions
    }
}
