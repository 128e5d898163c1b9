public import Foundation

/// **Shared**, on the main actor. The terminal of the program: keys as they are pressed, frames as they are drawn.
///
/// Its states are *left* (as the shell had it: the beginning, and the end) and *entered*. `enter` and `leave` change it.
///
/// 1. Whatever ends the program calls `leave` first: a key, an error, a signal.
/// 2. While a frame is being written, no other one is: `draw` says so, and `events` tells when the next one may come.
@MainActor
public final class Terminal {
    /// **Value.** An event at a terminal.
    enum Event: Sendable {
        case keys([Key])
        /// The size has changed, or the program goes on after a stop: everything has to be drawn.
        case resized
        /// A frame was written, and the next one may be.
        case drawn
        /// A signal asks the program to end.
        case signal(Int32)
        /// Nothing will come any more.
        case closed
    }

    /// The events, in order.
    let events: AsyncStream<Event>
    private let send: AsyncStream<Event>.Continuation
    private let input: Int32
    private let output: Int32
    private let writer: TerminalWriter
    private let original: termios
    private var isEntered = false
    private var isWriting = false
    private var shown: Frame?
    private var parser = KeyParser()
    private var flushing: Task<Void, any Error>?
    private var sources: [any DispatchSourceProtocol] = []

    /// Checks that there is a terminal. It is left as it is.
    ///
    /// - Throws: ``TerminalError``.
    public init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws {
        guard isatty(input) == 1, isatty(output) == 1 else { throw TerminalError.noTerminal }
        if ProcessInfo.processInfo.environment["TERM"] == "dumb" { throw TerminalError.simpleTerminal }
        var settings = termios()
        guard tcgetattr(input, &settings) == 0 else {
            throw TerminalError.callFailed("tcgetattr", String(cString: strerror(errno)))
        }
        (self.input, self.output, original) = (input, output, settings)
        writer = TerminalWriter(descriptor: output)
        (events, send) = AsyncStream.makeStream()
    }

    /// The present size.
    var size: TerminalSize { TerminalSize(of: output) }

    // MARK: States

    /// Shows the program's own screen, and takes keys as they are pressed.
    ///
    /// - Throws: ``TerminalError``.
    func enter() throws {
        if sources.isEmpty { try listen() }
        try set(Self.settings(for: original))
        isEntered = true
        shown = nil
        // Another screen, so that what was there comes back; no line breaks of the terminal's own.
        writer.write(Array("\u{1B}[?1049h\u{1B}[?7l\u{1B}[2J".utf8)) {}
    }

    /// Gives the terminal back as it was.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        // A terminal that was stopped goes on, or the program could not end.
        tcflow(output, TCOON)
        writer.writeLast(Array("\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8))
        var settings = original
        // The terminal may be gone, which is no news for a program that ends.
        _ = tcsetattr(input, TCSANOW, &settings)
    }

    /// No echo, no lines: a key arrives when it is pressed. Control-C and Control-Z stay signals, so they work whatever the
    /// program is busy with.
    private static func settings(for original: termios) -> termios {
        var settings = original
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        settings.c_iflag &= ~tcflag_t(ICRNL)
        settings.c_oflag &= ~tcflag_t(OPOST)
        withUnsafeMutableBytes(of: &settings.c_cc) { bytes in
            bytes[Int(VMIN)] = 1
            bytes[Int(VTIME)] = 0
        }
        return settings
    }

    private func set(_ settings: termios) throws {
        var settings = settings
        guard tcsetattr(input, TCSANOW, &settings) == 0 else {
            throw TerminalError.callFailed("tcsetattr", String(cString: strerror(errno)))
        }
    }

    // MARK: Frames

    /// Writes what differs from the last frame. Returns `false` while that one is being written; an event tells its end.
    func draw(_ frame: Frame) -> Bool {
        // Between a stop and its end, the screen is the shell's.
        if !isEntered { return true }
        if isWriting { return false }
        let bytes = frame.bytes(after: shown)
        shown = frame
        if bytes.isEmpty { return true }
        isWriting = true
        writer.write(bytes) { [weak self] in
            self?.isWriting = false
            self?.send.yield(.drawn)
        }
        return true
    }

    // MARK: What comes

    private func listen() throws {
        sources.append(
            try SignalPipe.follow([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]) { [weak self] in self?.obey($0)
            })
        let keys = DispatchSource.makeReadSource(fileDescriptor: input, queue: .main)
        keys.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readKeys() } }
        keys.activate()
        sources.append(keys)
    }

    private func obey(_ signal: Int32) {
        switch signal {
        case SIGWINCH: resize()
        case SIGTSTP: stop()
        case SIGCONT: goOn()
        default: send.yield(.signal(signal))
        }
    }

    private func resize() {
        shown = nil
        send.yield(.resized)
    }

    /// Control-Z: the shell gets its terminal, until it continues the program.
    private func stop() {
        leave()
        kill(getpid(), SIGSTOP)
    }

    private func goOn() {
        if isEntered { return resize() }
        do { try enter() } catch { return close() }
        send.yield(.resized)
    }

    private func readKeys() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(input, &bytes, bytes.count)
        if count < 0, [EINTR, EAGAIN].contains(errno) { return }
        guard count > 0 else { return close() }
        tell(parser.parse(bytes.prefix(count)))
        flushing?.cancel()
        guard parser.isWaiting else { return }
        flushing = Task { [weak self] in
            // The rest of a sequence comes at once, also over a network; a person takes longer for a second key.
            try await Task.sleep(for: .milliseconds(50))
            if let self { tell(parser.flush()) }
        }
    }

    /// The terminal is gone. Its source would report that for ever.
    private func close() {
        for source in sources { source.cancel() }
        send.yield(.closed)
    }

    private func tell(_ keys: [Key]) { if !keys.isEmpty { send.yield(.keys(keys)) } }
}
