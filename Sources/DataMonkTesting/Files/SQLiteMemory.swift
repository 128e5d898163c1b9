import CSQLite
import DataMonkCore

/// **Shared.** SQLite's memory, of which a test can let allocations fail.
///
///     guard SQLiteMemory.install() else { … }          // in a process that has not used SQLite yet
///     for number in 1...500 {
///         SQLiteMemory.fail(atAllocation: number)
///         …
///         SQLiteMemory.heal()
///     }
/// There is one memory for all connections of a process, so such a test runs in a process of its own.
public enum SQLiteMemory {
    private struct State: Sendable {
        var isInstalled = false
        /// The allocations that succeed before one fails; `nil` while none fails.
        var left: Int?
        var times = 0
        var failures = 0
        var count = 0

        mutating func fails() -> Bool {
            count += 1
            guard let left else { return false }
            if left > 0 {
                self.left = left - 1
                return false
            }
            if times == 0 { return false }
            if times != .max { times -= 1 }
            failures += 1
            return true
        }
    }

    private static let state = Locked(State())
    /// The system's functions.
    // nonisolated(unsafe): written once, before SQLite begins to use them.
    private nonisolated(unsafe) static var system = sqlite3_mem_methods()

    /// Puts itself before the system's memory. Later calls do nothing.
    ///
    /// - Returns: `false` if the process has already used SQLite, or created a ``FaultyDisk``. Its memory can then no longer be
    ///   replaced.
    public static func install() -> Bool {
        state.withLock { state in
            if state.isInstalled { return true }
            guard datamonk_config_memory(SQLITE_CONFIG_GETMALLOC, &system) == SQLITE_OK else { return false }
            var methods = system
            methods.xMalloc = { size in SQLiteMemory.fails() ? nil : SQLiteMemory.system.xMalloc(size) }
            methods.xRealloc = { memory, size in
                SQLiteMemory.fails() ? nil : SQLiteMemory.system.xRealloc(memory, size)
            }
            guard datamonk_config_memory(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK else { return false }
            state.isInstalled = true
            return true
        }
    }

    /// Lets allocations fail.
    ///
    /// - Parameters:
    ///   - number: The first one, from 1 for the next.
    ///   - times: The number of those that fail; `.max` for all from then on.
    public static func fail(atAllocation number: Int, times: Int = 1) {
        state.withLock { state in
            state.left = number - 1
            state.times = times
        }
    }

    /// Lets no allocation fail any more.
    public static func heal() { state.withLock { $0.left = nil } }

    /// The number of allocations that have failed.
    public static var failureCount: Int { state.withLock { $0.failures } }

    /// The number of allocations so far.
    public static var count: Int { state.withLock { $0.count } }

    private static func fails() -> Bool { state.withLock { $0.fails() } }
}
