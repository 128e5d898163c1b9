import DataMonkCore
public import Foundation

/// **Shared.** A folder whose files fail when a test asks for it: those of databases, and those of external data.
///
///     let disk = try FaultyDisk(folder: folder)
///     try stack.addDatabaseStore(fileURL: folder.appending(path: "shop.sqlite"))
///     disk.fail(FaultPlan(.diskFull, times: .max))
///     #expect(throws: StoreError.self) { try context.save() }
///     disk.heal()
///     try context.save()
/// Create the disk before the stores are opened, and keep it: calls pass through it for files that are opened while it
/// exists. The first disk of a process makes itself SQLite's default VFS; files of other folders are left alone. Of several
/// disks of one folder the last one counts, and of nested ones the inner one.
///
/// A disk also records what is written (``startRecording()``), from which ``DiskRecording`` makes what a loss of power would
/// leave. Temporary files of SQLite lie elsewhere, and their calls are not seen. Asking whether a file exists (`xAccess`)
/// never fails, as the system's VFS has no errors for it.
public final class FaultyDisk: Sendable {
    private struct State: Sendable {
        var plans: [FaultPlan] = []
        var injected = 0
        var injectedBefore = 0
        /// `nil` while nobody counts.
        var calls: [FileCall]?
        var recorder: DiskRecorder?
        var blockAfterWriting: (@Sendable () -> Void)?
    }

    /// The folder, as given and without links.
    private let prefixes: Set<String>
    let root: URL
    /// A Boolean value indicating whether syncs are passed on to the real disk. A test that never turns the power off is
    /// faster without them.
    public let syncsRealDisk: Bool
    private let state = Locked(State())

    /// Creates a disk of a folder and all that lies below.
    ///
    /// - Parameters:
    ///   - folder: The folder, which must exist.
    ///   - syncsRealDisk: Whether syncs are passed on to the real disk.
    /// - Throws: `CocoaError` if the folder cannot be found.
    public init(folder: URL, syncsRealDisk: Bool = false) throws {
        guard let resolved = realpath(folder.path, nil) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: folder.path])
        }
        defer { free(resolved) }
        root = URL(fileURLWithPath: String(cString: resolved), isDirectory: true)
        prefixes = [folder.standardizedFileURL.path, folder.path, root.path]
        self.syncsRealDisk = syncsRealDisk
        DiskRegistry.add(self)
    }

    // MARK: Faults

    /// Adds a plan. Each plan counts its calls by itself, from now on.
    public func fail(_ plan: FaultPlan) { state.withLock { $0.plans.append(plan) } }

    /// Removes all plans: nothing fails any more.
    ///
    /// - Returns: The number of calls that have failed or were delayed since the last call of this method. If it is 0, the
    ///   workload has not made the calls that the plans name.
    @discardableResult
    public func heal() -> Int {
        state.withLock { state in
            defer { state.injectedBefore = state.injected }
            state.plans = []
            return state.injected - state.injectedBefore
        }
    }

    /// The number of calls that have failed or were delayed since the disk was created.
    public var faultCount: Int { state.withLock { $0.injected } }

    /// Returns the calls made while `body` runs, by any thread.
    ///
    /// - Parameter body: The workload. One at a time is counted.
    public func calls(during body: () throws -> Void) rethrows -> [FileCall] {
        state.withLock { $0.calls = [] }
        defer { state.withLock { $0.calls = nil } }
        try body()
        return state.withLock { $0.calls ?? [] }
    }

    /// Returns the calls made while `body` runs, by any thread.
    ///
    /// - Parameter body: The workload. One at a time is counted.
    public func calls(during body: () async throws -> Void) async rethrows -> [FileCall] {
        state.withLock { $0.calls = [] }
        defer { state.withLock { $0.calls = nil } }
        try await body()
        return state.withLock { $0.calls ?? [] }
    }

    /// Sets a block to call when a transaction has ended, on its thread: others may write by then, but the connection has not
    /// been told yet. Only once, so that it can write to the same database.
    public func afterNextTransaction(_ block: @escaping @Sendable () -> Void) {
        state.withLock { $0.blockAfterWriting = block }
    }

    // MARK: Recording

    /// Begins to record what is written. What is in the folder now counts as being on disk.
    ///
    /// Call it while no store of the folder is open: the files are read, and POSIX drops a process's locks on a file when any
    /// of its descriptors is closed.
    ///
    /// - Throws: An error of the file system.
    public func startRecording() throws {
        let recorder = try DiskRecorder(root)
        state.withLock { $0.recorder = recorder }
    }

    /// The changes recorded since ``startRecording()``, which must have been called: a test of no changes would pass.
    public var recording: DiskRecording {
        guard let recorder = state.withLock({ $0.recorder }) else {
            stopProgram("Nothing was recorded: call startRecording() before the workload.")
        }
        return recorder.recording
    }

    /// Adds a mark to the recording: a commit that has returned, for example. Does nothing while nothing is recorded.
    public func mark(_ text: String) { record { $0.add(.mark(text)) } }

    // MARK: Calls

    /// Returns the path within the folder, empty for the folder itself; `nil` if it does not lie there.
    func relativePath(_ path: String) -> String? {
        for prefix in prefixes {
            if path == prefix || path == prefix + "/" { return "" }
            if path.hasPrefix(prefix + "/") { return String(path.dropFirst(prefix.count + 1)) }
        }
        return nil
    }

    /// Counts a call and waits for its delay. Returns the fault, if it is to fail.
    func begin(_ operation: FileOperation, of path: String, bytes: Range<Int>?) -> FileFault? {
        let (fault, delay) = state.withLock { state -> (FileFault?, Duration) in
            state.calls?.append(FileCall(operation: operation, path: path))
            var (fault, delay) = (FileFault?.none, Duration.zero)
            // Every plan counts. A slow disk may fail, too.
            for index in state.plans.indices where state.plans[index].takes(operation, of: path, bytes: bytes) {
                if case .delay(let time) = state.plans[index].fault {
                    delay += time
                } else {
                    fault = fault ?? state.plans[index].fault
                }
            }
            if fault != nil || delay > .zero { state.injected += 1 }
            return (fault, delay)
        }
        // Reason for sleeping: a slow disk blocks the calling thread.
        if delay > .zero { Thread.sleep(forTimeInterval: delay / .seconds(1)) }
        if fault == .kill { Self.killProcess() }
        return fault
    }

    /// Calls the block that waits for the end of a transaction.
    func didReleaseWriteLock() {
        let block = state.withLock { state in
            defer { state.blockAfterWriting = nil }
            return state.blockAfterWriting
        }
        block?()
    }

    /// Kills this process, as the system does.
    static func killProcess() -> Never {
        kill(getpid(), SIGKILL)
        // Other threads may go on for an instant; this one does not.
        while true { pause() }
    }

    func record(_ body: (inout DiskRecorder) -> Void) {
        state.withLock { state in
            guard var recorder = state.recorder else { return }
            // Else the change would copy the whole recording.
            state.recorder = nil
            body(&recorder)
            state.recorder = recorder
        }
    }
}
