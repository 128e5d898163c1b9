import Foundation

/// **Value.** A way in which calls for files fail.
public enum FileFault: Hashable, Codable, Sendable {
    /// The disk reports an error: `EIO`.
    case inputOutputError
    /// There is no space: `ENOSPC`, from calls that need some.
    case diskFull
    /// Half of the bytes are read or written. SQLite's files then meet the end of the disk (`ENOSPC`) or an error (`EIO`), as
    /// the system would tell after such a call; for other files the call returns the smaller number.
    case short
    /// The process has too many files open: `EMFILE`.
    case tooManyOpenFiles
    /// The call succeeds, after a time.
    case delay(Duration)
    /// The process is killed before the call, as by `kill -9`: nothing is flushed, and no code runs any more.
    case kill
    /// The process is killed when half of the bytes are written.
    case killHalfway

    /// The operations that can fail so.
    public var operations: Set<FileOperation> {
        switch self {
        case .inputOutputError, .delay, .kill: Set(FileOperation.allCases)
        case .diskFull: [.create, .write, .sync, .rename, .makeFolder, .watch, .sharedMemory]
        case .short: [.read, .write]
        case .killHalfway: [.write]
        case .tooManyOpenFiles: [.open, .create]
        }
    }

    /// A Boolean value indicating whether a write passes half of its bytes on.
    var writesHalf: Bool { self == .short || self == .killHalfway }

    var systemError: Int32 {
        switch self {
        case .inputOutputError, .delay, .kill, .killHalfway: EIO
        case .diskFull, .short: ENOSPC
        case .tooManyOpenFiles: EMFILE
        }
    }
}

/// **Value.** The calls of a ``FaultyDisk`` that fail, and how.
///
///     disk.fail(FaultPlan(.diskFull, atCall: 3))                        // the third call that needs space
///     disk.fail(FaultPlan(.inputOutputError, on: [.sync], ofFile: "shop.sqlite-wal", times: .max))
///     disk.fail(FaultPlan(.inputOutputError, on: [.read], inBytes: 8_192..<12_288, times: .max))   // a bad sector
/// To let each call of a workload fail once, count its calls first:
///
///     let calls = try disk.calls { try workload() }
///     for plan in FaultPlan.each(.inputOutputError, of: calls) {
///         disk.fail(plan)
///         …
///         #expect(disk.heal() > 0)
///     }
/// The workload has to make the same calls each time: give it a folder in the same state. A plan can be encoded, for a test
/// that runs in a process of its own.
public struct FaultPlan: Hashable, Codable, Sendable {
    /// The way in which the calls fail.
    public var fault: FileFault
    /// The operations whose calls count; others neither count nor fail.
    public var operations: Set<FileOperation>
    /// The file whose calls count, by the end of its path; empty for all files.
    public var fileSuffix: String
    /// The bytes of an SQLite file whose reads and writes count; `nil` for all calls. With them, no other call counts.
    public var bytes: Range<Int>?
    /// The number of the first call that fails, from 1 for the next one that counts.
    public var call: Int
    /// The number of calls that fail, one after the other.
    public var times: Int

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - fault: The way in which the calls fail.
    ///   - operations: The operations whose calls count, of those that can fail so; `nil` for all of them.
    ///   - fileSuffix: The end of the path of the files whose calls count; empty for all files.
    ///   - bytes: The bytes of an SQLite file whose reads and writes count; `nil` for all calls.
    ///   - call: The number of the first call that fails, from 1.
    ///   - times: The number of calls that fail; `.max` for all from then on.
    public init(
        _ fault: FileFault, on operations: Set<FileOperation>? = nil, ofFile fileSuffix: String = "",
        inBytes bytes: Range<Int>? = nil, atCall call: Int = 1, times: Int = 1
    ) {
        self.fault = fault
        self.operations = operations.map(fault.operations.intersection) ?? fault.operations
        self.fileSuffix = fileSuffix
        self.bytes = bytes
        self.call = call
        self.times = times
    }

    /// Returns a plan for each call that can fail in a way, in order.
    ///
    /// - Parameters:
    ///   - fault: The way in which the calls fail.
    ///   - calls: The calls of a workload; see ``FaultyDisk/calls(during:)``.
    ///   - times: The number of calls that fail; `.max` for all from then on.
    public static func each(_ fault: FileFault, of calls: [FileCall], times: Int = 1) -> [FaultPlan] {
        let count = calls.count { fault.operations.contains($0.operation) }
        return (0..<count).map { FaultPlan(fault, atCall: $0 + 1, times: times) }
    }

    /// Counts a call, and returns `true` if it fails.
    ///
    /// - Parameter bytes: The bytes that are read or written; `nil` if that is not known.
    mutating func takes(_ operation: FileOperation, of path: String, bytes: Range<Int>?) -> Bool {
        if let wanted = self.bytes, bytes?.overlaps(wanted) != true { return false }
        guard times > 0, operations.contains(operation), fileSuffix.isEmpty || path.hasSuffix(fileSuffix) else {
            return false
        }
        call -= 1
        guard call <= 0 else { return false }
        if times != .max { times -= 1 }
        return true
    }
}

extension FaultPlan: CustomStringConvertible {
    /// The fault and the call, as in `diskFull at call 3`.
    public var description: String {
        let file = fileSuffix.isEmpty ? "" : " of \(fileSuffix)"
        return
            "\(fault) at call \(call)\(file)\(times == 1 ? "" : times == .max ? " and all later ones" : ", \(times) times")"
    }
}
