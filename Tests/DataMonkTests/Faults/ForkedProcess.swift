import Foundation

/// A copy of this process with its present thread alone, which begins in milliseconds.
///
/// The copy has the locks of all threads, and none of their owners to release them. So it is made only by a process that does
/// nothing else: one of an exit test. No store may be open in it, since SQLite's connections do not survive in the copy.
struct ForkedProcess {
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    let pid: pid_t
    private let output: Int32

    /// Begins a process. It ends when the work does.
    ///
    /// - Parameter work: Gets a function that sends a line to this process. What it throws is sent, too.
    init(_ work: (_ send: @escaping (String) -> Void) throws -> Void) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        let (output, input) = (ends[0], ends[1])
        self.output = output
        pid = Self.fork()
        guard pid == 0 else {
            close(input)
            guard pid > 0 else {
                close(output)
                throw CocoaError(.featureUnsupported)
            }
            return
        }
        let send: (String) -> Void = { line in
            let bytes = Array((line + "\n").utf8)
            // One call: a line is there, or is not.
            _ = write(input, bytes, bytes.count)
        }
        do {
            try work(send)
            _exit(EXIT_SUCCESS)
        } catch {
            send("\(error)".replacingOccurrences(of: "\n", with: " "))
            _exit(EXIT_FAILURE)
        }
    }

    /// Waits for the end.
    ///
    /// - Returns: How the process ended, and the lines that it sent.
    func wait() -> (end: End, lines: [String]) {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(output, &part, part.count)
            if count > 0 { bytes += part[..<count] }
            if count == 0 || count < 0 && errno != EINTR { break }
        }
        close(output)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return (signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal), lines)
    }

    private static func fork() -> pid_t {
        systemFunction("fork", as: (@convention(c) () -> pid_t).self)?() ?? -1
    }

    /// Returns a function of the system that Swift has no name for, everywhere or on some systems; `nil` if there is none.
    static func systemFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
        guard let program = dlopen(nil, RTLD_NOW), let address = dlsym(program, name) else { return nil }
        return unsafeBitCast(address, to: type)
    }
}
