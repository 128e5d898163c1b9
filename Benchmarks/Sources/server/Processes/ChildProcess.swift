#if Postgres
    import Foundation

    /// **Confined.** Another process of this program, which says when it is ready, and waits for a sign to begin.
    final class ChildProcess {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())

        /// - Parameter task: The name of the task, and its arguments.
        init(_ task: String, _ arguments: some Encodable) throws {
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [task, String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        func waitUntilReady() throws {
            guard output.fileHandleForReading.readLine() == "ready" else { throw Failure("A process has failed.") }
        }

        func begin() throws { try input.fileHandleForWriting.write(contentsOf: Data("begin\n".utf8)) }

        /// Waits for the result.
        func result<Result: Decodable>(_ type: Result.Type) throws -> Result {
            guard let line = output.fileHandleForReading.readLine() else { throw Failure("A process has failed.") }
            process.waitUntilExit()
            return try JSONDecoder().decode(type, from: Data(line.utf8))
        }

        // MARK: In the other process

        /// Says that the process is ready, and waits for the sign to begin.
        static func reportReadiness() {
            report("ready")
            _ = readLine()
        }

        static func report(_ result: some Encodable) throws {
            report(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
        }

        private static func report(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

        /// Runs a load in several processes at once. Calls a closure when all are ready.
        static func run(_ load: Load, processes: Int, whenReady: () throws -> Void = {}) throws -> Load.Count {
            let children = try (0..<processes).map { seat in
                var load = load
                load.seat = seat
                return try ChildProcess("load", load)
            }
            for child in children { try child.waitUntilReady() }
            try whenReady()
            for child in children { try child.begin() }
            return try children.reduce(into: Load.Count()) { $0 += try $1.result(Load.Count.self) }
        }
    }
#endif
