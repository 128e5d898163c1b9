import Foundation
import SystemSQLite

/// **Confined**, to the main actor. Runs every workload for every peer, interleaved: round, workload, peer, the order
/// of the peers rotated each round. Round 0 warms up and is thrown away.
@MainActor
struct Runner {
    private let options: Options
    private let peers: [any Peer.Type]
    private let workloads: [Workload]
    private let count: Int
    private let input: WorkloadInput
    /// What the first peer came to, by workload.
    private var references: [String: String] = [:]
    /// Workload and peer that will not be tried again.
    private var skipped: Set<String> = []

    init(options: Options, count: Int, peers all: [any Peer.Type]) throws {
        self.options = options
        self.count = count
        peers =
            try options.peers.isEmpty
            ? all
            : options.peers.map { name in
                guard let peer = all.first(where: { $0.name == name }) else { throw BenchError("no peer \(name)") }
                return peer
            }
        workloads =
            try options.workloads.isEmpty ? Workload.all : options.workloads.map(Workload.named)
        input = WorkloadInput(
            Dataset(count: count), seconds: options.seconds, reduction: options.reduction,
            forW10: workloads.contains { $0.id == Workload.sideBySide.id })
    }

    mutating func run() throws -> [Sample] {
        try FileManager.default.createDirectory(atPath: options.directory, withIntermediateDirectories: true)
        var samples: [Sample] = []
        for round in (options.single ? 1 : 0)...options.rounds {
            for workload in workloads {
                for index in peers.indices {
                    let sample = sample(of: peers[(index + round) % peers.count], workload, round: round)
                    if let sample, round > 0 { samples.append(sample) }
                }
            }
            if !options.quiet { log("N = \(count), round \(round) of \(options.rounds) done") }
        }
        return samples
    }

    /// Nil if the peer does not do the workload, or failed at it.
    private mutating func sample(of peer: any Peer.Type, _ workload: Workload, round: Int) -> Sample? {
        let name = workload.id + " " + peer.name
        if skipped.contains(name) { return nil }
        do {
            return try measure(peer, workload, round: round)
        } catch {
            skipped.insert(name)
            if !(error is NotDone) { log("\(name): \(error)") }
            return nil
        }
    }

    private mutating func measure(_ peer: any Peer.Type, _ workload: Workload, round: Int) throws -> Sample {
        let template = workload.template
        try template.makeIfMissing(for: peer, in: options.directory, dataset: input.dataset)
        let path = "\(options.directory)/run.sqlite"
        SQLiteFile.remove(path)
        try SQLiteFile.copy(
            template.path(in: options.directory, schema: peer.schema, count: count), to: path)
        defer { SQLiteFile.remove(path) }

        prepareHeap()
        let heapBefore = mallinfo2().uordblks
        let run = try timed(peer, workload, path: path)
        endTurn()
        let heapAfter = mallinfo2().uordblks
        if heapAfter > heapBefore + (1 << 20), round > 0 {
            log("\(workload.id) \(peer.name): \((heapAfter - heapBefore) >> 10) KiB of heap left after close")
        }
        try compare(run.outcome, of: peer, workload, path: path)
        return Sample(
            workload: workload.id, peer: peer.name, count: count, round: round,
            operations: workload.operations(input), wall: run.stopwatch.wall, processor: run.stopwatch.processor,
            figures: run.figures.isEmpty ? nil : run.figures)
    }

    /// Every sample starts with a consolidated heap: free lists in the order in which some other peer let its objects
    /// go make any peer up to twice as slow.
    private func prepareHeap() {
        if options.coldHeap { malloc_trim(0) } else { free(malloc(1 << 20)) }
    }

    /// Runs what the peer has left for the next turn of the main actor. By the run loop, as callgrind does not survive
    /// an asynchronous main program.
    private func endTurn() {
        if !options.single { _ = RunLoop.main.run(mode: .default, before: Date()) }
    }

    private func timed(_ type: any Peer.Type, _ workload: Workload, path: String) throws -> Run {
        if let openings = workload.openings { return try timedOpening(type, workload, openings, path: path) }
        let peer = try type.init(path: path, template: workload.template, durability: workload.durability)
        if workload.usesKeys { try peer.prepare(input.dataset) }
        let heapEmpty = Int(mallinfo2().uordblks)
        try workload.warmUp?(peer, input)
        let held = Double(Int(mallinfo2().uordblks) - heapEmpty) / Double(workload.operations(input))
        var stopwatch = Stopwatch()
        let outcome = try stopwatch.time { try clocked { try workload.run(peer, input) } }
        try peer.close()
        var run = Run(outcome: outcome, stopwatch: stopwatch)
        if workload.figures.contains(where: { $0.key == Sample.heap }) { run.figures[Sample.heap] = held }
        return run
    }

    /// Opens the file inside the clock, and closes it outside.
    private func timedOpening(
        _ type: any Peer.Type, _ workload: Workload, _ openings: Openings, path: String
    ) throws -> Run {
        var stopwatch = Stopwatch()
        var outcome = WorkloadOutcome.measured([:])
        for _ in 0..<openings.times {
            if openings.isCold { try PageCache.drop(path) }
            var opened: (any Peer)?
            outcome = try stopwatch.time {
                try clocked {
                    let peer = try type.init(
                        path: path, template: workload.template, durability: workload.durability)
                    opened = peer
                    return try workload.run(peer, input)
                }
            }
            try opened?.close()
            opened = nil
            endTurn()
        }
        return Run(outcome: outcome, stopwatch: stopwatch)
    }

    /// Peers that did not do the same work are not comparable: says so.
    private mutating func compare(
        _ outcome: WorkloadOutcome, of peer: any Peer.Type, _ workload: Workload, path: String
    ) throws {
        let result: String?
        switch outcome {
        case .read(let digest), .timed(let digest, _): result = digest.description
        case .wrote(let written):
            result = options.single ? nil : try SQLiteFile(path).textAndClose(peer.schema.stateQuery(written))
        case .measured: result = nil
        }
        guard let result else { return }
        if let reference = references[workload.id], reference != result {
            log("MISMATCH \(workload.id) \(peer.name): \(result); others: \(reference)")
        }
        references[workload.id] = references[workload.id] ?? result
    }
}

/// **Value.** One run of a workload.
private struct Run {
    let outcome: WorkloadOutcome
    private(set) var stopwatch: Stopwatch
    var figures: [String: Double] = [:]

    init(outcome: WorkloadOutcome, stopwatch: Stopwatch) {
        self.outcome = outcome
        self.stopwatch = stopwatch
        if case .measured(let figures) = outcome { self.figures = figures }
        if case .timed(_, let stopwatch) = outcome { self.stopwatch = stopwatch }
    }
}

/// What the clock sees and nothing else: `scripts/callgrind.sh` counts inside this function only.
@MainActor @inline(never)
private func clocked(_ body: () throws -> WorkloadOutcome) rethrows -> WorkloadOutcome {
    try body()
}

/// A line on standard error.
package func log(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}
