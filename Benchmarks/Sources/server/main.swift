import Foundation

#if Postgres
    // Prints times, which depend on the machine: for articles and for comparisons, not for tests.

    let measurements: [(name: String, measure: @MainActor (Stage) async throws -> Void)] = [
        ("rates", measureRates), ("lock", measureOrderLock), ("trips", measureRoundTrips),
        ("staleness", measureStaleness), ("libpq", measureByHand), ("shared", measureSharedCounters),
    ]

    /// Runs what a child process is for. Returns `false` for another name.
    func runTask(_ name: String, _ argument: String) async throws -> Bool {
        let argument = Data(argument.utf8)
        switch name {
        case "load":
            let load = try JSONDecoder().decode(Load.self, from: argument)
            try ChildProcess.report(await load.run(whenReady: ChildProcess.reportReadiness))
        case "correspondence": try await JSONDecoder().decode(Correspondence.self, from: argument).run()
        default: return false
        }
        return true
    }

    @MainActor func measure(_ names: [String], seconds: Double) async throws {
        let stage = try Stage(seconds: seconds)
        defer { stage.server.stop() }
        print("PostgreSQL \(try stage.direct.column("SHOW server_version")[0]), each rate for \(text(seconds)) s")
        for (name, measure) in measurements where names.isEmpty || names.contains(name) { try await measure(stage) }
    }

    sharpenTimers()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
        if arguments.count == 2, try await runTask(arguments[0], arguments[1]) { exit(0) }
        let seconds = arguments.first.map { Double($0) } ?? 4
        let names = Array(arguments.dropFirst())
        guard let seconds, names.allSatisfy({ name in measurements.contains { $0.name == name } }) else {
            throw Failure("usage: server [SECONDS [\(measurements.map(\.name).joined(separator: " | "))] …]")
        }
        try await measure(names, seconds: seconds)
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
#else
    let note = "Build it with the trait: swift run -c release --traits Postgres server. It needs libpq.\n"
    FileHandle.standardError.write(Data(note.utf8))
    exit(2)
#endif
