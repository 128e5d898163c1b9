#if Postgres
    import DataMonkCore

    /// **Confined.** The objects that one call evaluates in memory, with those that their relationships lead to.
    ///
    /// The first object of a cohort that is asked for a relationship has the destinations of all of them read by one
    /// statement, and they are a cohort in turn. So a condition costs a statement for each step of its paths, and none for
    /// each object.
    ///
    /// Conditions are evaluated where nothing can be thrown, so a failure is noted, and thrown by `requireReadable` before an
    /// answer is given that would be wrong.
    final class ServerGraph {
        /// **Confined.** Objects that were read together.
        final class Cohort {
            fileprivate let keys: [ObjectKey]
            fileprivate var toOnes: [Entity.Relationship: Cohort] = [:]
            fileprivate var toManys: [Entity.Relationship: Members] = [:]

            fileprivate init(_ keys: [ObjectKey]) { self.keys = keys }
        }

        /// **Confined.** The destinations of a to-many, by owner.
        fileprivate struct Members {
            var keysByOwner: [ObjectKey: [ObjectKey]] = [:]
            let cohort: Cohort
        }

        private let reader: ServerReader
        /// The fetch that needs the objects, and whose time limits what is read.
        private let fetch: ResolvedFetch
        /// The rows that were read. A snapshot does not change.
        private var rows: [ObjectKey: Row] = [:]
        private var absent: Set<ObjectKey> = []
        private var failure: (any Error)?

        init(_ reader: ServerReader, of fetch: ResolvedFetch) {
            self.reader = reader
            self.fetch = fetch
        }

        /// Returns objects whose rows have been read.
        func objects(_ read: [(key: ObjectKey, row: Row)]) -> [ServerObject] {
            let cohort = Cohort(read.map(\.key))
            for (key, row) in read { rows[key] = row }
            return read.map { object($0.key, $0.row, in: cohort) }
        }

        /// Throws the first failure, if there was one.
        func requireReadable() throws {
            if let failure { throw failure }
        }

        private func object(_ key: ObjectKey, _ row: Row, in cohort: Cohort) -> ServerObject {
            ServerObject(
                graph: self, cohort: cohort, objectKey: key, row: row,
                entity: reader.store.directory.model.entities[key.entityIndex])
        }

        private func object(_ key: ObjectKey, in cohort: Cohort) -> ServerObject? {
            rows[key].map { object(key, $0, in: cohort) }
        }

        /// Runs what reads; notes its failure, and reads nothing more after one.
        private func noting(_ read: () throws -> Void) {
            if failure != nil { return }
            do { try read() } catch { failure = error }
        }

        // MARK: Destinations

        func destination(
            _ key: ObjectKey, of relationship: Entity.Relationship, from cohort: Cohort
        ) -> ServerObject? {
            if let known = cohort.toOnes[relationship] { return object(key, in: known) }
            var keys: Set<ObjectKey> = []
            for member in owners(of: relationship, in: cohort) {
                guard let row = rows[member],
                    let key = ObjectKey(slot: RowFormat.word(in: row.pointer, at: relationship.slot))
                else { continue }
                keys.insert(key)
            }
            let missing = keys.filter { rows[$0] == nil && !absent.contains($0) }.sorted()
            noting {
                let found = RowCollector()
                try reader.load(missing, into: found, damaged: .thrown, of: fetch)
                for (key, row) in found.rows { rows[key] = row }
                absent.formUnion(missing.filter { rows[$0] == nil })
            }
            let destinations = Cohort(keys.sorted())
            cohort.toOnes[relationship] = destinations
            return object(key, in: destinations)
        }

        func destinations(
            of relationship: Entity.Relationship, from owner: ObjectKey, in cohort: Cohort
        ) -> [ServerObject] {
            let members = cohort.toManys[relationship] ?? load(relationship, of: cohort)
            return members.keysByOwner[owner, default: []].compactMap { object($0, in: members.cohort) }
        }

        private func load(_ relationship: Entity.Relationship, of cohort: Cohort) -> Members {
            let owners = owners(of: relationship, in: cohort).sorted()
            let found = RowCollector()
            noting { try reader.destinations(of: relationship, from: owners, into: found, fetch: fetch) }
            for (key, row) in found.rows { rows[key] = row }
            var members = Members(cohort: Cohort(Set(found.rows.map(\.key)).sorted()))
            var start = 0
            for (owner, end) in zip(owners, found.ends) {
                members.keysByOwner[owner] = found.rows[start..<end].map(\.key)
                start = end
            }
            cohort.toManys[relationship] = members
            return members
        }

        /// Returns the objects of a cohort that have a relationship: others may have another property in its slot.
        private func owners(of relationship: Entity.Relationship, in cohort: Cohort) -> [ObjectKey] {
            let entities = reader.store.directory.model.entities
            return cohort.keys.filter { key in
                let properties = entities[key.entityIndex].properties
                return relationship.slot < properties.count
                    && properties[relationship.slot].relationship === relationship
            }
        }
    }

    /// **Confined.** Keeps all rows that a reader passes to it.
    final class RowCollector: RowSink {
        var arena = RowArena()
        private(set) var rows: [(key: ObjectKey, row: Row)] = []
        /// The end in `rows` of each owner's destinations.
        private(set) var ends: [Int] = []

        func wants(_ key: ObjectKey) -> Bool { true }

        func take(_ key: ObjectKey, at pointer: UnsafeMutableRawPointer, in arena: inout RowArena) {
            rows.append((key, arena.row(at: pointer)))
        }

        func take(_ key: ObjectKey, row: Row) { rows.append((key, row)) }
        func takeFault(_ key: ObjectKey) {}

        func ownerDidEnd() -> Bool {
            ends.append(rows.count)
            return true
        }
    }
#endif
