#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Every read of every write path fails once: what is saved is never computed from an empty value.
    @Suite struct `Read faults` {
        private static let errors = [
            StoreError(.readFailed, "The disk is on fire."), StoreError(.locked, "Somebody has the store."),
            StoreError(.openFailed, "Too many open files."), StoreError(.corrupt, "A page is damaged."),
            StoreError(.fileNotFound, "A file is gone."),
        ]

        #if os(Linux)
            /// Every how many reads of a path one meets an obstacle.
            private static let stride =
                ProcessInfo.processInfo.environment["DATAMONK_FAULT_STRIDE"].flatMap { Int($0) } ?? 5
        #endif

        @Test(arguments: WritePath.all)
        func `save the state of the undisturbed run, or nothing`(path: WritePath) throws {
            let undisturbed = try ReadFaultStage().run(path, readsAgain: false)
            #expect(undisturbed.error == nil, "\(path.testDescription) fails by itself")
            let before = try ReadFaultStage().stored()
            #expect(undisturbed.stored != before, "\(path.testDescription) changes nothing")
            var refused = 0
            for number in 0..<undisturbed.reads {
                for (index, error) in Self.errors.enumerated() {
                    let readsAgain = (number + index) % 2 == 0
                    let stage = try ReadFaultStage()
                    stage.store.failRead(number, with: error)
                    let outcome = try stage.run(path, readsAgain: readsAgain)
                    let place = "\(path.testDescription): read \(number), \(error), read again: \(readsAgain)"
                    if outcome.error != nil { refused += 1 }
                    outcome.expectNothingLost(path, undisturbed, place)
                }
            }
            let points = undisturbed.reads * Self.errors.count
            print("\(path.testDescription): \(undisturbed.reads) reads, \(points) faults, \(refused) refused")
            #expect(undisturbed.reads >= 3 && refused > 0)
        }

        #if os(Linux)
            /// The system refuses, to a process of its own: limits and locks are a process's.
            @Test(arguments: Obstacle.Kind.allCases)
            func `of a file that the system does not give save the same`(kind: Obstacle.Kind) async {
                await #expect(processExitsWith: .success) { [kind = kind as Obstacle.Kind] in
                    let folder = try TemporaryFolder()
                    var number = 0
                    func newFile() -> URL {
                        number += 1
                        return folder.file("harbours \(number).sqlite")
                    }
                    var refused = 0
                    for (place, path) in WritePath.all.enumerated() {
                        refused += try Self.meet(kind, path, first: place, newFile)
                    }
                    #expect((refused > 0) == (kind != .locked), "\(kind): \(refused) refused")
                }
            }

            /// Returns how often the write path was refused.
            private static func meet(
                _ kind: Obstacle.Kind, _ path: WritePath, first: Int, _ newFile: () -> URL
            ) throws -> Int {
                let stage = try ReadFaultStage(file: newFile())
                let before = try stage.stored()
                let undisturbed = try stage.run(path, readsAgain: false)
                try stage.close()
                #expect(undisturbed.error == nil, "\(path.testDescription) fails by itself")
                var refused = 0
                for number in Swift.stride(from: first % stride, to: undisturbed.reads, by: stride) {
                    let file = newFile()
                    let stage = try ReadFaultStage(file: file)
                    // nonisolated(unsafe): the update has this thread wait while it reads.
                    nonisolated(unsafe) let obstacle = try Obstacle(kind, before: stage.store, in: file)
                    stage.store.disturbRead(number) { isBefore in
                        if isBefore { obstacle.raise() } else if !kind.isLasting { obstacle.lower() }
                    }
                    let outcome = try stage.run(path, readsAgain: number % 2 == 0) { obstacle.lower() }
                    let place = "\(path.testDescription): read \(number), \(kind), read again: \(number % 2 == 0)"
                    if let error = outcome.error {
                        refused += 1
                        let cause = (error as? SaveError)?.failedAccesses.first?.cause ?? error
                        #expect((cause as? StoreError)?.code == kind.code, "\(place): \(error)")
                    }
                    if kind.code == .corrupt, outcome.error != nil, !outcome.isHealed {
                        // The damaged pages may stay in SQLite's memory.
                        if path.changesOfOthers == nil { #expect(outcome.stored == before, "\(place)") }
                    } else {
                        outcome.expectNothingLost(path, undisturbed, place)
                    }
                    try stage.close()
                }
                print("\(path.testDescription): \(undisturbed.reads) reads, \(kind), \(refused) refused")
                if stride == 1, [.tooManyFiles, .missingFiles, .damagedTables].contains(kind) {
                    #expect(refused > 0, "\(path.testDescription), \(kind)")
                }
                return refused
            }
        #endif
    }

    extension ReadFaultStage.Outcome {
        /// Whether what is stored is what an undisturbed run stores: after the run, or after its second attempt.
        fileprivate func expectNothingLost(_ path: WritePath, _ undisturbed: Self, _ place: String) {
            if error == nil {
                #expect(stored == undisturbed.stored, "\(place): another state was saved")
                return
            }
            // Another coordinator has changed the store meanwhile, and the second attempt would start from there.
            if path.changesOfOthers != nil { return }
            #expect(isHealed, "\(place): a rollback does not heal")
            #expect(stored == undisturbed.stored, "\(place): the second attempt saves another state")
        }
    }
#endif
