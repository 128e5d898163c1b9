#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Suite @MainActor struct FailingDisksTests {
        private static func inFolder(_ body: (URL) async throws -> Void) async throws {
            try await Village.withFile { try await body($0.deletingLastPathComponent()) }
        }

        @Test func `each call fails once`() async throws {
            try await Self.inFolder { folder in
                let disk = try FaultyDisk(folder: folder)
                let calls = try await disk.calls { try await addMonk(to: folder.appending(path: "calls.sqlite")) }
                for (number, plan) in FaultPlan.each(.diskFull, of: calls).enumerated() {
                    let url = folder.appending(path: "\(number).sqlite")
                    disk.fail(plan)
                    var failure: (any DataMonkError)?
                    do { try await addMonk(to: url) } catch let error as any DataMonkError { failure = error }
                    #expect(disk.heal() == 1, "\(plan) was not reached")
                    let contents = try StoreContents(of: url)
                    let monks = contents.tables["ZPERSON", default: []].count
                    #expect(contents.damage.isEmpty && (monks == 1 || monks == 0 && failure != nil), "\(plan)")
                    // The disk works again.
                    try await addMonk(to: url)
                    #expect(try StoreContents(of: url).tables["ZPERSON"]?.count == monks + 1)
                }
            }
        }

        @Test func `the process is killed`() async throws {
            try await Self.inFolder { folder in
                let calls = try await FaultyDisk(folder: folder).calls {
                    try await addMonk(to: folder.appending(path: "calls.sqlite"))
                }
                for (number, plan) in FaultPlan.each(.kill, of: calls).enumerated() where number % 20 == 0 {
                    let url = folder.appending(path: "killed \(number).sqlite")
                    await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL, plan = plan as FaultPlan] in
                        let disk = try FaultyDisk(folder: url.deletingLastPathComponent())
                        disk.fail(plan)
                        try await addMonk(to: url)
                    }
                    try await addMonk(to: url)
                    let contents = try StoreContents(of: url)
                    #expect(contents.damage.isEmpty && [1, 2].contains(contents.tables["ZPERSON"]?.count))
                }
            }
        }

        @Test func `the power fails`() async throws {
            try await Self.inFolder { folder in
                let disk = try FaultyDisk(folder: folder)
                let url = folder.appending(path: "Village.sqlite")
                try await Self.inFolder { images in try await losePower(disk, url, images) }
            }
        }

        private func losePower(_ disk: FaultyDisk, _ url: URL, _ images: URL) async throws {
            try disk.startRecording()
            for number in 1...2 {
                try await addMonk(to: url)
                disk.mark("\(number)")
            }
            let recording = disk.recording
            #expect(recording.marks(before: .max) == ["1", "2"])
            var random = SeededGenerator(seed: 1)
            for cut in 0...recording.changes.count {
                let image = recording.imageOfPowerLoss(after: cut, contents: .torn, entries: .prefix, using: &random)
                let place = images.appending(path: "\(cut)")
                try image.write(to: place)
                let found = try StoreContents(of: place.appending(path: "Village.sqlite"), recovers: true)
                let monks = found.tables["ZPERSON", default: []].count
                #expect(found.damage.isEmpty && monks >= recording.marks(before: cut).count)
            }
        }

        @Test func `memory runs short`() async throws {
            await #expect(processExitsWith: .success) {
                try #require(SQLiteMemory.install())
                let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
                let start = SQLiteMemory.count
                try await addMonk(to: url)
                let allocations = SQLiteMemory.count - start
                var returned = 1
                for number in stride(from: 1, through: allocations, by: 10) {
                    SQLiteMemory.fail(atAllocation: number)
                    do {
                        try await addMonk(to: url)
                        returned += 1
                    } catch is any DataMonkError {}
                    SQLiteMemory.heal()
                }
                #expect(SQLiteMemory.failureCount > 0)
                let contents = try StoreContents(of: url)
                #expect(contents.damage.isEmpty && contents.tables["ZPERSON", default: []].count >= returned)
            }
        }
    }

    func addMonk(to url: URL) async throws {
        let stack = try Stack(Person.self)
        try stack.addDatabaseStore(fileURL: url)
        try await Context(stack: stack).update { update in
            try update.create(Person.self).name = "Monk"
            try update.commit()
        }
        try stack.close()
    }
#endif
