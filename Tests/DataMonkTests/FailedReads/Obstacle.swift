#if os(Linux)
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation

    /// **Confined.** A refusal of the system that a store's reads meet while it is raised.
    ///
    /// A snapshot that is open needs nothing of the system that can be refused. So the connection that rests is taken away
    /// first: a read that begins a snapshot has to open the file anew.
    final class Obstacle {
        enum Kind: String, CaseIterable, Codable, Sendable {
            /// Another connection has the lock of a writer, which keeps all other writers out. Readers need no lock.
            case locked
            /// The process has as many files open as it may.
            case tooManyFiles
        }

        private let kind: Kind
        private let store: FaultInjectingStore
        private let other: SQLiteConnection
        private var resting: (any StoreReader)?

        init(_ kind: Kind, before store: FaultInjectingStore, in file: URL) throws {
            self.kind = kind
            self.store = store
            other = try SQLiteConnection(fileURL: file, options: SQLiteOptions(access: .readWrite))
        }

        func raise() {
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
            }
        }

        func lower() {
            switch kind {
            case .locked:
                // Reason for try?: there is nothing to roll back where there was no lock.
                try? other.rollback()
            case .tooManyFiles: limitFiles { $0 }
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
    }

    @available(*, unavailable)
    extension Obstacle: Sendable {}
#endif
