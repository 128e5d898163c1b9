#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Random schedules of two updates: whatever they do at the same time, no reference is left without its other end.
    @Suite struct `Random schedules of references` {
        private static let environment = ProcessInfo.processInfo.environment
        private static let asked = environment["DATAMONK_INTEGRITY_SCHEDULES"].flatMap(Int.init)
        /// How many schedules may fail before the others are left.
        private static let failureLimit = environment["DATAMONK_INTEGRITY_FAILURES"].flatMap(Int.init) ?? 1

        @Test(arguments: [IntegrityRun.Setting.memory, .file, .twoStacks])
        func `no commit leaves a reference without its other end`(setting: IntegrityRun.Setting) {
            Self.run(setting, usual: setting == .memory ? 150 : 40).judge()
        }

        /// The same, with the second update and its child context in another process.
        @Test func `no commit of two processes leaves a reference without its other end`() async throws {
            let folder = try TemporaryFolder()
            // nonisolated(unsafe): one thread talks to the other process, and this one waits for it.
            nonisolated(unsafe) let peer = try IntegrityPeer(in: folder)
            let line = peer.line
            async let served: Void = {
                await #expect(processExitsWith: .success) { [line = line as IntegrityPeer.Line] in
                    try IntegrityPeer.serve(line)
                }
                IntegrityPeer.hangUp(line)
            }()
            let series = await withCheckedContinuation { continuation in
                // Not a task's thread: it waits for the other process, which a task has to start.
                Thread.detachNewThread {
                    let series = Self.run(.twoProcesses, usual: 60, peer)
                    peer.end()
                    continuation.resume(returning: series)
                }
            }
            await served
            series.judge()
        }

        private static func run(_ setting: IntegrityRun.Setting, usual: Int, _ peer: IntegrityPeer? = nil) -> Series {
            var series = Series(setting: setting)
            let isOfTwoStores = setting == .twoStacks || setting == .twoProcesses
            if let asked { series.count = isOfTwoStores ? max(1, asked / 10) : asked / 2 } else { series.count = usual }
            let first = environment["DATAMONK_INTEGRITY_SEED"].flatMap(UInt64.init) ?? 1
            print("Schedules of references in \(setting): \(series.count) from seed \(first)")
            for seed in first..<first + UInt64(series.count) {
                do {
                    var run = try IntegrityRun(setting, seed: seed, peer: peer)
                    defer { series.add(run) }
                    try run.run(steps: 24)
                } catch {
                    series.failures.append("\(setting), seed \(seed): \(error)")
                    if series.failures.count == failureLimit { break }
                }
            }
            return series
        }

        /// **Value.** What many schedules have come to.
        private struct Series: Sendable {
            let setting: IntegrityRun.Setting
            var count = 0
            var commits = 0
            var refusals = 0
            var tally: [String: Int] = [:]
            var failures: [String] = []

            mutating func add(_ run: IntegrityRun) {
                (commits, refusals) = (commits + run.commits, refusals + run.refusals)
                tally.merge(run.tally, uniquingKeysWith: +)
            }

            func judge() {
                for failure in failures { Issue.record("\(failure)") }
                print("\(setting): \(commits) commits, \(refusals) refused")
                if asked != nil {
                    for (kind, count) in tally.sorted(by: { $0.key < $1.key }) {
                        print("\(setting): \(count) \(kind)")
                    }
                }
                #expect(commits > refusals && refusals > 0)
                if count <= 100 { return }
                // Each kind of change, child contexts, undo, and commits in one transaction or at the same time.
                let together =
                    switch setting {
                    case .memory, .file: ["saved together"]
                    case .twoStacks: [String]()
                    case .twoProcesses: ["saved at the same time"]
                    }
                let kinds = IntegrityRun.Change.allCases.map(\.rawValue)
                for kind in kinds + ["child's save", "undo", "redo", "fetch"] + together {
                    #expect(tally[kind, default: 0] > 0, "\(kind)")
                }
            }
        }
    }
#endif
