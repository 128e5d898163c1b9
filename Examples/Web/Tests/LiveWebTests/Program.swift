import Foundation
import Testing

/// A program beside the tests, and the first line that it prints which has what is wanted of it.
final class Program: @unchecked Sendable {  // Its process is told to end, which may be done from anywhere.
    let answer: String
    private let process = Process()

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Starts a program, and reads its output up to the first match.
    init(_ path: String, _ arguments: [String], until pattern: Regex<(Substring, Substring)>) throws {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while true {
            let part = output.fileHandleForReading.availableData
            text += String(decoding: part, as: UTF8.self)
            if let match = text.firstMatch(of: pattern) {
                answer = String(match.output.1)
                break
            }
            if part.isEmpty { throw Failure(description: "\(path) has ended, and said: \(text)") }
        }
        // Its later output is read, or it would wait for that.
        output.fileHandleForReading.readabilityHandler = { if $0.availableData.isEmpty { $0.readabilityHandler = nil } }
    }

    /// Asks the program to end, and returns its status.
    func end() -> Int32 {
        process.terminate()
        return wait()
    }

    /// Waits until the program has ended by itself, and returns its status.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
}
