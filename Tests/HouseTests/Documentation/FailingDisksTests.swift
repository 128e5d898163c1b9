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
                let url = folder.appending(path: "Village.sqlite")
                let calls = try await disk.calls { try await addMonk(to: url) }
                for plan in FaultPlan.each(.diskFull, of: calls) {
                    let before = try StoreContents(of: url)
                    disk.fail(plan)
                    do { try await addMonk(to: url) } catch is any DataMonkError {}
                    disk.heal()
                    let after = try StoreContents(of: url)
                    let added = after.tables["ZPERSON", default: []].count - before.tables["ZPERSON", default: []].count
                    #expect(after.damage.isEmpty && [0, 1].contains(added), "\(plan)")
                }
                #expect(disk.faultCount > 0)
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
                try await Village.withFile { url in
                    for number in 1...100 {
                        SQLiteMemory.fail(atAllocation: number)
                        do { try await addMonk(to: url) } catch is any DataMonkError {}
                        SQLiteMemory.heal()
                    }
                    #expect(try StoreContents(of: url).damage.isEmpty)
                }
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
