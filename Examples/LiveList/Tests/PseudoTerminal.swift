import Foundation
import Testing

/// The program in a terminal of its own, and a person at it: keys are typed, and the screen is read.
final class PseudoTerminal {
    private(set) var screen: TerminalEmulator
    private let terminal: Int32
    private let process: pid_t
    private var status: Int32?
    private let start = ContinuousClock.now
    /// The time given to a program that hangs. Among all tests at once, a test may wait for minutes for its own next turn.
    private static let patience = Duration.seconds(3_600)

    struct Failure: Error, CustomStringConvertible { let description: String }

    static var program: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "LiveList").path
    }

    init(_ arguments: [String], columns: Int = 80, rows: Int = 24) throws {
        screen = TerminalEmulator(columns: columns, rows: rows)
        var (terminal, other): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        guard openpty(&terminal, &other, &name, nil, nil) == 0 else {
            throw Failure(description: "There is no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        // Other tests' processes must not hold it.
        for descriptor in [terminal, other] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer { close(other) }
        self.terminal = terminal
        Self.set(terminal, columns: columns, rows: rows)
        let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        process = try Self.start([Self.program] + arguments, at: path)
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
        close(terminal)
    }

    /// Begins the program in a session of its own, whose terminal is the one that it opens first.
    private static func start(_ command: [String], at path: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which the headers hide.
        posix_spawnattr_setflags(&attributes, Int16(newSession | Int32(POSIX_SPAWN_SETSIGMASK)))
        // Those of AddressSanitizer and its like are of the program, too.
        let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        let variables =
            ["TERM=xterm-256color", "TMPDIR=\(FileManager.default.temporaryDirectory.path)"]
            + sanitizers.map { "\($0.key)=\($0.value)" }
        let words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for word in words + environment { free(word) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, command[0], &actions, &attributes, words, environment)
        guard result == 0 else { throw Failure(description: String(cString: strerror(result))) }
        return process
    }

    private static func set(_ terminal: Int32, columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    // MARK: A person

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(write(terminal, bytes, bytes.count) == bytes.count)
    }

    func resize(columns: Int, rows: Int) {
        screen.resize(columns: columns, rows: rows)
        Self.set(terminal, columns: columns, rows: rows)
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Looks at the screen until it is as it should be.
    func wait(_ what: String, until isReached: (TerminalEmulator) async throws -> Bool) async throws {
        while true {
            // Between two frames alone.
            if !screen.modes.contains("?2026"), try await isReached(screen) { return }
            guard try read() else { throw Failure(description: "The program ended before \(what):\n\(screen.text)") }
            if ContinuousClock.now - start > Self.patience {
                throw Failure(description: "Not seen: \(what):\n\(screen.text)")
            }
            await Task.yield()
        }
    }

    func wait(for text: String) async throws { try await wait("“\(text)”") { $0.text.contains(text) } }

    func wait(for line: Regex<Substring>) async throws {
        try await wait("a line") { $0.lines.contains { $0.contains(line) } }
    }

    /// Reads until the program ends. Returns its status, as `waitpid` has it.
    func end() async throws -> Int32 {
        while try read() { await Task.yield() }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { throw Failure(description: "There is no status.") }
        self.status = status
        return status
    }

    /// Takes what the program has written; false when nobody has the terminal open any more.
    private func read() throws -> Bool {
        var request = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        if poll(&request, 1, 50) <= 0 { return true }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(terminal, &bytes, bytes.count)
        if count > 0 { screen.take(bytes.prefix(count)) }
        return count > 0 || errno == EINTR
    }

    /// Waits until the program has been stopped by a signal.
    func waitUntilStopped() async throws {
        var status: Int32 = 0
        while waitpid(process, &status, WUNTRACED | WNOHANG) == 0 {
            _ = try read()
            await Task.yield()
        }
        guard status & 0xFF == 0x7F else {
            self.status = status
            throw Failure(description: "The program ended instead of stopping:\n\(screen.text)")
        }
    }

    // MARK: The terminal's own state

    /// The settings that a shell finds.
    var settings: [tcflag_t] {
        var settings = termios()
        tcgetattr(terminal, &settings)
        return [settings.c_iflag, settings.c_oflag, settings.c_lflag]
    }

    /// The longest that the program has run, on any clock: its frames lie within.
    var age: Duration { ContinuousClock.now - start }
}
