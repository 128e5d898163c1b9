import ArgumentParser
import Foundation

/// **Value.** The output and the exit status of a command.
package struct CommandOutcome {
    package var output = ""
    package var error: String?
    package var status = ExitStatus.success

    /// Notes an error of a command that writes a file. The first one decides about the status.
    mutating func note(_ error: any Error) {
        self.error = [self.error, StoreInspection.message(of: error)].compactMap(\.self).joined(separator: " ")
        if status == .success || status == .findings { status = ExitStatus(writing: error) }
    }

    /// Writes the output and the error, and ends the program with the status unless it is success.
    func finish() throws {
        var outcome = self
        // A reader that has gone, as one that Control-C has ended too, must not take the error with it.
        if error != nil { _ = signal(SIGPIPE, SIG_IGN) }
        do { try StandardStream.print(Data(output.utf8)) } catch { outcome.note(error) }
        if let error = outcome.error { StandardStream.report("datamonk: \(error)\n") }
        if outcome.status == Interruption.status { Interruption.endProgram() }
        if outcome.status != .success { throw ExitCode(outcome.status.rawValue) }
    }
}
