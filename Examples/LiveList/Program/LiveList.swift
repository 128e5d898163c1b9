import ArgumentParser
import DataMonk
import Foundation
import JobBoard

/// A list in the terminal that is drawn anew while updates commit behind it.
@main
struct LiveList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "LiveList", abstract: "A list in the terminal that follows what updates commit.")

    @Option(help: ArgumentHelp("Keep the jobs in this file. Several LiveLists may share one.", valueName: "file"))
    var store: String?

    @Option(help: "Changes that the team behind the list commits in a second.")
    var commits: Double = 8

    @Option(help: "Jobs that the team begins with.")
    var jobs = 40

    @Option(help: "Seconds for which a row is marked.")
    var marks: Double = 1.5

    func validate() throws {
        guard (0...10_000).contains(commits) else { throw ValidationError("Give 0 to 10,000 commits.") }
        guard (0...1_000_000).contains(jobs) else { throw ValidationError("Give 0 to 1,000,000 jobs.") }
        guard (0...3_600).contains(marks) else { throw ValidationError("Give 0 to 3,600 seconds for marks.") }
    }

    func run() async throws {
        if let signal = try await show() { SignalPipe.endProgram(by: signal) }
    }

    @MainActor private func show() async throws -> Int32? {
        // First, so that nothing is made where there is no terminal.
        let terminal = try Terminal()
        return try await JobStore.open(store) { try await show($0, on: terminal) }
    }

    @MainActor private func show(_ stack: Stack, on terminal: Terminal) async throws -> Int32? {
        let team = try Team(stack: stack, commitsPerSecond: commits, size: jobs)
        try await team.begin()
        let screen = JobScreen(
            World: try MainContext(stack: stack), team: team, terminal: terminal, markDuration: .seconds(marks))
        let work = Task {
            do { try await team.work() } catch { screen.say("The team has stopped: \(error)") }
        }
        let signal = try await screen.run()
        work.cancel()
        await screen.finish()
        await work.value
        return signal
    }
}
