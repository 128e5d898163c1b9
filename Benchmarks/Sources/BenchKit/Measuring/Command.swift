import Foundation

/// The whole command, for these peers; gives the exit code.
@MainActor
package func runBenchmarks(peers: [any Peer.Type], arguments: [String]) -> Int32 {
    do {
        let options = try Options(arguments: arguments)
        if options.list {
            print("peers:  " + peers.map { $0.name }.joined(separator: " "))
            for workload in Workload.all {
                print(workload.id.padding(toLength: 8, withPad: " ", startingAt: 0) + workload.title)
            }
            return 0
        }
        var runner = try Runner(options: options, peers: peers)
        let samples = try runner.run()
        if let json = options.json {
            try JSONEncoder().encode(samples).write(to: URL(fileURLWithPath: json))
        }
        if !options.quiet {
            let order = options.peers.isEmpty ? peers.map { $0.name } : options.peers
            for baseline in options.baselines {
                let report = Report(samples, baseline: baseline, peers: order)
                print(report.markdown(rounds: options.rounds, count: options.count) + "\n")
            }
        }
        return 0
    } catch {
        log("\(error)")
        return 2
    }
}
