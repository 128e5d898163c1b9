import Foundation
import Synchronization
import Testing

/// A program beside the tests, and the first line that it prints which has what is wanted of it.
///
/// A shell supervises the program, and ends it as soon as its own input ends: at `end()`, when the object is released, and when
/// this process ends in whatever way.
final class Program: @unchecked Sendable {  // Its process is told to end, which may be done from anywhere.
    let answer: String
    let processID: Int32
    private let supervisor = Process()
    private let input = Pipe()
    private let received = Received()

    /// **Shared.** The output so far.
    private final class Received: Sendable {
        private let text = Mutex("")

        func append(_ part: Data) -> String {
            text.withLock { text in
                text += String(decoding: part, as: UTF8.self)
                return text
            }
        }
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// The program has no input, and its errors are part of its output. Its process has the number that is printed first.
    private static let script = """
        exec 3<&0
        signal=$1
        shift
        sh -c 'echo $$; exec "$@" 2>&1' sh "$@" </dev/null 3<&- &
        program=$!
        { read -r _ <&3; kill -s "$signal" "$program"; } &
        wait "$program"
        status=$?
        kill $!
        exit $status
        """

    /// Starts a program, and reads its output up to the first match.
    ///
    /// - Parameter signal: The signal that ends it.
    init(
        _ path: String, _ arguments: [String], signal: String = "TERM", until pattern: Regex<(Substring, Substring)>
    ) throws {
        supervisor.executableURL = URL(filePath: "/bin/sh")
        supervisor.arguments = ["-c", Self.script, "sh", signal, path] + arguments
        let output = Pipe()
        supervisor.standardInput = input
        supervisor.standardOutput = output
        supervisor.standardError = FileHandle.nullDevice
        // Another program must not inherit this end, or the input would not end with this process.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try Self.withSignals { [supervisor] in try supervisor.run() }
        (processID, answer) = try Self.wait(for: pattern, in: output.fileHandleForReading, of: path, received)
        // Its later output is read, or it would wait for that.
        output.fileHandleForReading.readabilityHandler = { [received] handle in
            let part = handle.availableData
            if part.isEmpty { handle.readabilityHandler = nil }
            _ = received.append(part)
        }
    }

    /// Unblocks all signals. Threads of tasks block most of them, and a new process would inherit that: a shell would wait for
    /// ever, since it is told of its child's end by a signal.
    private static func withSignals(_ body: () throws -> Void) rethrows {
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try body()
    }

    private static func wait(
        for pattern: Regex<(Substring, Substring)>, in output: FileHandle, of path: String, _ received: Received
    ) throws -> (processID: Int32, answer: String) {
        while true {
            let part = output.availableData
            let text = received.append(part)
            if let end = text.firstIndex(of: "\n"), let processID = Int32(text[..<end]),
                let match = text[end...].firstMatch(of: pattern)
            {
                return (processID, String(match.output.1))
            }
            if part.isEmpty { throw Failure(description: "\(path) has ended, and said: \(text)") }
        }
    }

    /// Everything that the program has printed so far.
    var output: String { received.append(Data()) }

    /// Asks the program to end, and returns its status.
    func end() -> Int32 {
        closeInput()
        return wait()
    }

    /// Ends the program at once, as a machine does that fails.
    func kill() {
        _ = Foundation.kill(processID, SIGKILL)
        _ = wait()
    }

    /// Waits until the program has ended by itself, and returns its status.
    func wait() -> Int32 {
        supervisor.waitUntilExit()
        return supervisor.terminationStatus
    }

    deinit { if supervisor.isRunning { closeInput() } }

    private func closeInput() {
        // It may be closed.
        try? input.fileHandleForWriting.close()
    }

    // MARK: Finding

    /// Returns the path of a program: in `PATH`, or where Debian has those of servers.
    static func path(of name: String) -> String? {
        let files = FileManager.default
        let servers = "/usr/lib/postgresql"
        // A missing folder has none.
        let versions = ((try? files.contentsOfDirectory(atPath: servers)) ?? [])
            .sorted { $0.compare($1, options: .numeric) == .orderedDescending }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders =
            versions.map { "\(servers)/\($0)/bin" } + path.split(separator: ":").map(String.init) + ["/usr/sbin"]
        return folders.map { "\($0)/\(name)" }.first { files.isExecutableFile(atPath: $0) }
    }

    /// Returns the path of a program of this package.
    static func path(ofExample name: String) -> String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test where programs are missing, unless `DATAMONK_FIXTURES_REQUIRED=1` says that they have to be there.
    static func requiresPrograms(_ names: String...) -> Self {
        let missing = names.filter { Program.path(of: $0) == nil }
        let areRequired = ProcessInfo.processInfo.environment["DATAMONK_FIXTURES_REQUIRED"] == "1"
        return .enabled(
            if: missing.isEmpty || areRequired,
            "There is no \(missing.joined(separator: ", ")). Install Debian's postgresql and nginx.")
    }
}
