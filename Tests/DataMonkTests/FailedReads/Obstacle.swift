#if os(Linux)
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation

    /// **Confined.** A refusal of the system, or damage to the file, that a store's reads meet while it is raised.
    ///
    /// A snapshot that is open needs nothing of the system that can be refused, and has pages in memory. So the connection
    /// that rests is taken away first: a read that begins a snapshot has to open the file anew.
    final class Obstacle {
        enum Kind: String, CaseIterable, Codable, Sendable {
            /// Another connection has the lock of a writer, which keeps all other writers out. Readers need no lock.
            case locked
            /// The process has as many files open as it may.
            case tooManyFiles
            /// Values in files of their own are gone.
            case missingFiles
            /// Pages are no pages. What SQLite cannot see, such as another digit of a number, nobody can.
            case damagedTables, damagedJoinTables, damagedIndices, damagedOverflow

            /// The error of those who meet it.
            var code: StoreError.Code? {
                switch self {
                case .locked: nil
                case .tooManyFiles: .openFailed
                case .missingFiles: .fileNotFound
                case .damagedTables, .damagedJoinTables, .damagedIndices, .damagedOverflow: .corrupt
                }
            }

            /// The pages that are damaged, in SQLite's table of pages.
            fileprivate var pages: String? {
                switch self {
                case .locked, .tooManyFiles, .missingFiles: nil
                case .damagedTables: "pagetype <> 'overflow' AND name GLOB 'Z[A-Z]*' AND name NOT GLOB '*INDEX*'"
                // SQLite reads the indices only, which have both columns.
                case .damagedJoinTables:
                    "name IN (SELECT name FROM sqlite_master WHERE tbl_name GLOB 'Z_[0-9]*')"
                case .damagedIndices: "name IN (SELECT name FROM sqlite_master WHERE type = 'index')"
                case .damagedOverflow: "pagetype = 'overflow'"
                }
            }

            /// Indicates that it stays from a read on: files are read with properties, not with rows.
            var isLasting: Bool { self == .missingFiles }
        }

        private let kind: Kind
        private let store: FaultInjectingStore
        private let file: URL
        private let other: SQLiteConnection
        private var resting: (any StoreReader)?
        /// The places of the damage in the file.
        private var places: [off_t] = []
        private var undamaged: [[UInt8]] = []
        private var isRaised = false

        init(_ kind: Kind, before store: FaultInjectingStore, in file: URL) throws {
            (self.kind, self.store, self.file) = (kind, store, file)
            other = try SQLiteConnection(fileURL: file, options: SQLiteOptions(access: .readWrite))
            guard let pages = kind.pages else { return }
            // All pages into the file, and none while the damage lasts: a reader of the old state prevents that.
            try other.checkpoint(.truncate)
            let size = try other.int64("PRAGMA page_size")
            let numbers = try other.text("SELECT group_concat(pageno, ' ') FROM dbstat WHERE \(pages)") ?? ""
            places = numbers.split(separator: " ").compactMap { Int64($0) }.map { off_t(($0 - 1) * size) }
            guard !places.isEmpty else { throw FixtureProblem.noPages(kind) }
            try other.beginSnapshot()
            _ = try other.int64("SELECT count(*) FROM sqlite_master")
        }

        /// **Value.** A store on which a kind of obstacle would be none.
        enum FixtureProblem: Error { case noPages(Kind) }

        func raise() {
            isRaised = true
            // Reason for try?: without a connection that rests there is none to take away.
            resting = try? store.behind.openReader()
            switch kind {
            case .locked:
                // Reason for try?: a read of the commit itself comes after its own lock.
                try? other.begin(.immediate)
            case .tooManyFiles:
                let next = open("/dev/null", O_RDONLY)
                close(next)
                limitFiles { _ in rlim_t(next) }
            case .missingFiles: moveFiles(to: away, from: values)
            case .damagedTables, .damagedJoinTables, .damagedIndices, .damagedOverflow: damage()
            }
        }

        /// Does nothing if it is not raised.
        func lower() {
            if !isRaised { return }
            isRaised = false
            switch kind {
            case .locked:
                // Reason for try?: there is nothing to roll back where there was no lock.
                try? other.rollback()
            case .tooManyFiles: limitFiles { $0 }
            case .missingFiles: moveFiles(to: values, from: away)
            case .damagedTables, .damagedJoinTables, .damagedIndices, .damagedOverflow: mend()
            }
            resting?.end()
            resting = nil
        }

        private func limitFiles(_ count: (rlim_t) -> rlim_t) {
            var limit = rlimit()
            _ = getrlimit(.init(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = count(limit.rlim_max)
            _ = setrlimit(.init(RLIMIT_NOFILE.rawValue), &limit)
        }

        // MARK: Files of values

        private var values: URL {
            let name = file.deletingPathExtension().lastPathComponent
            return file.deletingLastPathComponent().appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA")
        }

        private var away: URL { file.appendingPathExtension("away") }

        private func moveFiles(to target: URL, from source: URL) {
            // Reason for try?: a write path may have removed files and folders, and the test looks at what it sees then.
            try? FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            for name in (try? FileManager.default.contentsOfDirectory(atPath: source.path)) ?? [] {
                try? FileManager.default.moveItem(at: source.appending(path: name), to: target.appending(path: name))
            }
        }

        // MARK: Pages

        /// Of a page of a tree, this is its header; of an overflow page, the number of the next one.
        private static let damage = [UInt8](repeating: 0xFF, count: 8)

        private func damage() {
            withFile { descriptor in
                undamaged = places.map { place in
                    var bytes = Self.damage
                    _ = pread(descriptor, &bytes, bytes.count, place)
                    _ = pwrite(descriptor, Self.damage, Self.damage.count, place)
                    return bytes
                }
            }
        }

        private func mend() {
            withFile { descriptor in
                for (place, bytes) in zip(places, undamaged) { _ = pwrite(descriptor, bytes, bytes.count, place) }
            }
            // Reason for try?: a snapshot that cannot be ended is the connection's end too.
            try? other.rollback()
        }

        /// Closing the descriptor releases the locks of this process on the file, which no other process has open.
        private func withFile(_ body: (Int32) -> Void) {
            let descriptor = open(file.path, O_RDWR)
            body(descriptor)
            close(descriptor)
        }
    }

    @available(*, unavailable)
    extension Obstacle: Sendable {}
#endif
