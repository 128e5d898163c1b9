#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// The power fails at any moment of everything that programs do with a store.
    @Suite struct `A loss of power during a workload` {
        @Test(arguments: FaultWorkload.all, [StoreDescription.Synchronous.normal, .full])
        func `leaves the first attempts, with .full all that returned`(
            workload: FaultWorkload, durability: StoreDescription.Synchronous
        ) throws {
            let trial = try FaultTrial(workload)
            let images = (PowerLosses.images + FaultWorkload.all.count - 1) / FaultWorkload.all.count
            for failsSyncs in [false, true] {
                let tally = trial.losePower(images, durability, failsSyncs: failsSyncs, seed: PowerLosses.seed)
                print(
                    """
                    Loss of power in \(workload.name), \(durability)\(failsSyncs ? ", syncs fail" : ""): \
                    \(tally), seed \(PowerLosses.seed)
                    """)
                trial.record(tally)
                #expect(tally.reached > 0)
            }
        }
    }

    extension FaultTrial {
        /// Runs the workload for every eight images, and lets the power fail at random moments of it.
        ///
        /// - Parameter failsSyncs: Whether some syncs fail before.
        func losePower(
            _ images: Int, _ durability: StoreDescription.Synchronous, failsSyncs: Bool, seed: UInt64
        ) -> Tally {
            var random = SeededGenerator(seed: seed)
            var tally = Tally()
            while tally.points < images {
                var plan: FaultPlan?
                if failsSyncs {
                    let syncs = max(1, calls.count { $0.operation == .sync })
                    plan = FaultPlan(
                        .inputOutputError, on: [.sync], atCall: Int.random(in: 1...syncs, using: &random),
                        times: [1, 2, 3, .max].randomElement(using: &random) ?? 1)
                }
                let name = "\(durability), seed \(seed), \(plan.map { "\($0)" } ?? "no fault")"
                do {
                    let run = try FaultRun(template.url, expected: states, synchronous: durability)
                    try workload.prepare(run)
                    try run.disk.startRecording()
                    if let plan { run.disk.fail(plan) }
                    try workload.body(run)
                    try run.finish()
                    if !run.errors.isEmpty { tally.thrown += 1 }
                    for _ in 0..<8 { look(at: run, durability, name, &tally, &random) }
                } catch {
                    tally.points += 8
                    tally.problems.append("\(name): \(error)")
                }
            }
            return tally
        }

        private func look(
            at run: FaultRun, _ durability: StoreDescription.Synchronous, _ name: String, _ tally: inout Tally,
            _ random: inout SeededGenerator
        ) {
            let recording = run.disk.recording
            let cut = Int.random(in: 0...recording.changes.count, using: &random)
            let contents = DiskImage.Contents.allCases[tally.points % 4]
            let entries = DiskImage.Entries.allCases[tally.points % 3]
            tally.points += 1
            let image = recording.imageOfPowerLoss(after: cut, contents: contents, entries: entries, using: &random)
            let returned = recording.marks(before: cut).count
            let first = durability == .full ? returned : 0
            do {
                let last = min(returned + workload.atOnce, states.count - 1)
                try look(at: image, possible: states[first...last], run)
                tally.reached += 1
            } catch {
                tally.problems.append("\(name), cut \(cut), \(contents), \(entries): \(error)")
            }
        }

        /// The image is one of the states, and can be opened.
        private func look(at image: DiskImage, possible: ArraySlice<StoreContents>, _ run: FaultRun) throws {
            let folder = try TemporaryFolder()
            // Its syncs are left out.
            let disk = try FaultyDisk(folder: folder.url)
            defer { withExtendedLifetime(disk) {} }
            try image.write(to: folder.url)
            let url = folder.file("shop.sqlite")
            try check(FaultRun.contents(of: url, recovers: true), possible, "after the loss")
            let stack = Stack(model: run.stack.model)
            stack.onError { _ in }
            try stack.addDatabaseStore(fileURL: url, stages: run.stages)
            try stack.close()
            // A migration that was not done is done now.
            try check(FaultRun.contents(of: url), possible + states.suffix(1), "after the next opening")
        }

        private func check(_ found: StoreContents, _ possible: ArraySlice<StoreContents>, _ place: String) throws {
            if !found.damage.isEmpty { throw FaultRun.Violation(description: "\(found.damage) \(place)") }
            guard !possible.contains(found), let last = possible.last else { return }
            throw FaultRun.Violation(description: "Not a state of the store \(place): \(found.difference(from: last))")
        }
    }
#endif
