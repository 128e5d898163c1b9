import ArgumentParser
import Foundation

/// **Value.** The output and the exit status of a command.
package struct CommandOutcome {
    package var output = ""
    package var error: String?
    package var status = ExitStatus.success

    /// Writes the output and the error, and ends the program with the status unless it is success.
    func finish() throws {
        if !output.isEmpty { print(output, terminator: "") }
        if let error { FileHandle.standardError.write(Data("datamonk: \(error)\n".utf8)) }
        if status != .success { throw ExitCode(status.rawValue) }
    }
}
