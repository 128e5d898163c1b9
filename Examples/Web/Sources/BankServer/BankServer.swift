import ArgumentParser
import DataMonk
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Serving

/// A bank's JSON API, of which any number of instances may serve one database.
@main
struct BankServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BankServer", abstract: "Accounts and transfers as a JSON API.",
        discussion: "Other users of a machine see the arguments of programs: give a password in DATABASE_URL.")

    @Option(
        help: ArgumentHelp(
            "Keep the accounts in this file, or on the server of this URL. By default, what DATABASE_URL says.",
            valueName: "path or URL"))
    var database: String?

    @Option(help: "The address to listen at. The API asks nobody who they are.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 for any that is free.")
    var port = 8080

    @Option(help: ArgumentHelp("Listen at this Unix socket, and at no port.", valueName: "path"))
    var socket: String?

    @Option(help: "Requests that are answered at the same time. Others are told to come again.")
    var requests = 1_000

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("Give a port of 0 to 65,535.") }
        guard requests > 0 else { throw ValidationError("Give 1 request at least.") }
    }

    func run() async throws {
        guard let place = database ?? ProcessInfo.processInfo.environment["DATABASE_URL"] else {
            throw ValidationError("Say where the accounts are, by --database or DATABASE_URL.")
        }
        let stack = try await BankStore.open(place)
        try await serve(try Bank(stack: stack))
        try await stack.closeStores()
    }

    /// Serves until a signal ends the program.
    @MainActor private func serve(_ bank: Bank) async throws {
        let logger = Logger(label: "BankServer")
        let application = Application(
            router: Routes(bank: bank, limit: RequestLimit(requests)).router(),
            configuration: ApplicationConfiguration(address: address, serverName: "BankServer"),
            onServerRunning: { channel in
                // Whoever has started the program waits for this line, and reads the port from it.
                print("At", socket ?? "http://\(host):\(channel.localAddress?.port ?? port)/")
                fflush(nil)
            }, logger: logger)
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        // Requests are finished, but half of one is not waited for without end.
        configuration.maximumGracefulShutdownDuration = .seconds(60)
        try await ServiceGroup(configuration: configuration).runUntilSignal()
    }

    private var address: BindAddress {
        if let socket { .unixDomainSocket(path: socket) } else { .hostname(host, port: port) }
    }
}
