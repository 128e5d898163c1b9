import Foundation

/// The whole command, for these peers; gives the exit code.
@MainActor
package func runBenchmarks(peers: [any Peer.Type], arguments: [String]) -> Int32 {
    beginSecondThread()
    do {
        let options = try Options(arguments: arguments)
        if options.list {
            list(peers)
            return 0
        }
        let samples =
            try options.reported.isEmpty ? measure(peers, options) : options.reported.flatMap(Sample.read(from:))
        if let json = options.json { try JSONEncoder().encode(samples).write(to: URL(fileURLWithPath: json)) }
        if !options.quiet { report(samples, peers, options) }
        if let figures = options.figures { try Summary(samples).write(into: figures) }
        return 0
    } catch {
        log("\(error)")
        return 2
    }
}

/// Starts a thread that waits for ever. While a process has only one, the C library allocates without locks, which no
/// program that uses Swift's concurrency or Dispatch profits from; and whichever peer started a thread of its own would
/// seem slower.
private func beginSecondThread() {
    Thread.detachNewThread { while true { sleep(.max) } }
}

@MainActor
private func list(_ peers: [any Peer.Type]) {
    print("peers:  " + peers.map { $0.name }.joined(separator: " "))
    for workload in Workload.all {
        print(workload.id.padding(toLength: 10, withPad: " ", startingAt: 0) + workload.title)
    }
}

@MainActor
private func measure(_ peers: [any Peer.Type], _ options: Options) throws -> [Sample] {
    var samples: [Sample] = []
    for count in options.counts {
        var runner = try Runner(options: options, count: count, peers: peers)
        samples += try runner.run()
    }
    return samples
}

/// A table for each number of rows and each baseline, and one over the numbers.
@MainActor
private func report(_ samples: [Sample], _ peers: [any Peer.Type], _ options: Options) {
    let known = options.peers.isEmpty ? peers.map { $0.name } : options.peers
    let others = Set(samples.map(\.peer)).subtracting(known).sorted()
    let counts = Set(samples.map(\.count)).sorted()
    for count in counts {
        let samples = samples.filter { $0.count == count }
        for baseline in options.baselines {
            let isFirst = baseline == options.baselines.first
            let report = Report(samples, baseline: baseline, peers: known + others, showsOthers: isFirst)
            if !report.isEmpty { print(report.markdown(count: count) + "\n") }
        }
    }
    if counts.count > 1 { print(Growth(samples, peers: known).markdown) }
}
