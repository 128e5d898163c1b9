import ArgumentParser
import DataMonk
import Foundation
import Hummingbird
import LiveBoard
import Logging
import ServiceLifecycle
import Serving

/// A page with the same list in every open browser.
@main
struct LiveWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "LiveWeb", abstract: "The same list in every open browser, edited from any of them.")

    @Option(help: ArgumentHelp("Keep the jobs in this file, which a LiveList may share.", valueName: "file"))
    var store: String?

    @Option(help: "The address to listen at. The page asks nobody who they are.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 for any that is free.")
    var port = 8080

    @Option(help: "Changes that the team behind the list commits in a second.")
    var commits: Double = 0.5

    @Option(help: "Jobs that the team begins with.")
    var jobs = 20

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("Give a port of 0 to 65,535.") }
        guard (0...10_000).contains(commits) else { throw ValidationError("Give 0 to 10,000 commits.") }
        guard (0...10_000).contains(jobs) else { throw ValidationError("Give 0 to 10,000 jobs.") }
    }

    func run() async throws { try await JobStore.open(store) { try await serve($0) } }

    @MainActor private func serve(_ stack: Stack) async throws {
        let logger = Logger(label: "LiveWeb")
        let team = try Team(stack: stack, commitsPerSecond: commits, size: jobs)
        try await team.begin()
        let board = try Board(World: MainContext(stack: stack)) { logger.error("\($0)") }
        let router = try Routes(board: board, editor: JobEditor(stack: stack)).router()
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "LiveWeb"),
            onServerRunning: { channel in
                // Whoever has started the program for port 0 reads it from here.
                print("http://\(host):\(channel.localAddress?.port ?? port)/")
                fflush(nil)
            }, logger: logger)
        // The page works on without the team; what stops that is said in the log.
        let helpers = Task {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    do { try await team.work() } catch { logger.error("The team has stopped: \(error)") }
                }
                group.addTask {
                    // A cancelled sleep ends at once; the program is over then.
                    while (try? await Task.sleep(for: .seconds(15))) != nil { await board.sendSignOfLife() }
                }
            }
        }
        defer { helpers.cancel() }
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        // A browser that does not read, or sends half a request, is not waited for.
        configuration.maximumGracefulShutdownDuration = .seconds(3)
        try await ServiceGroup(configuration: configuration).runUntilSignal()
    }
}
