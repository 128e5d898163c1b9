#if Postgres
    import DataMonkCore

    /// **Value.** The rows that a transaction has locked, or is assumed to lock when it begins, with their versions. Nobody else
    /// changes them before it ends, so that neither locks nor versions are asked for again.
    struct LockedRows {
        private struct Lock {
            /// `nil` if there is no such row.
            var version: Int64?
            /// Indicates whether rows and links that refer to it wait, too.
            var excludesReferences: Bool
        }

        private var locks: [ObjectKey: Lock] = [:]
        /// The locks at the last savepoint that were changed since; `nil` before there is one.
        private var former: [ObjectKey: Lock?]?

        /// Returns whether the rows that changes update and delete are locked as the changes need it.
        func contain(_ changes: ChangeSet) -> Bool {
            changes.updated.allSatisfy { locks[$0.key] != nil }
                && changes.deleted.allSatisfy { locks[$0.key]?.excludesReferences == true }
        }

        /// Returns the version of a row; `nil` if there is no such row, or if it is not locked.
        func version(of key: ObjectKey) -> Int64? { locks[key]?.version }

        /// Returns the versions of some of the rows that exist.
        func versions(of keys: [ObjectKey]) -> [ObjectKey: Int64] {
            var versions: [ObjectKey: Int64] = [:]
            for key in keys { versions[key] = version(of: key) }
            return versions
        }

        mutating func insert(_ key: ObjectKey, version: Int64?, excludesReferences: Bool) {
            set(key, Lock(version: version, excludesReferences: excludesReferences))
        }

        /// Notes the versions that the rows have since changes were written.
        mutating func noteWritten(_ changes: ChangeSet) {
            // Nothing, for most insertions of many.
            if locks.isEmpty { return }
            for change in changes.updated { noteWritten(change) }
            for change in changes.inserted { noteWritten(change) }
            noteDeleted(changes.deleted.map(\.key))
        }

        private mutating func noteWritten(_ change: ChangeSet.ObjectChange) {
            guard var lock = locks[change.key] else { return }
            lock.version = change.row.version
            set(change.key, lock)
        }

        mutating func noteDeleted(_ keys: [ObjectKey]) {
            for key in keys where locks[key] != nil { set(key, Lock(version: nil, excludesReferences: true)) }
        }

        /// Begins to keep what a return to this point needs.
        mutating func beginSavepoint() { former = [:] }

        /// Returns to the last savepoint: the locks since then are released.
        mutating func rollBackToSavepoint() {
            for (key, lock) in former ?? [:] { locks[key] = lock }
            former = [:]
        }

        private mutating func set(_ key: ObjectKey, _ lock: Lock) {
            if former?[key] == nil { former?.updateValue(locks[key], forKey: key) }
            locks[key] = lock
        }
    }
#endif
