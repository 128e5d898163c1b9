#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation

    /// One run of a workload over a store on a disk that may fail.
    ///
    /// A workload consists of attempts. When one throws, the disk is repaired and the store has to be as before or after the
    /// attempt; then it is made once more and has to succeed.
    final class FaultRun {
        struct Violation: Error, CustomStringConvertible {
            let description: String
        }

        /// A program that read nothing because reads failed, and so had nothing to change.
        private struct NothingChanged: Error {}

        /// The contents of the store before the first attempt and after each, in a run without faults.
        private let expected: [StoreContents]?
        private(set) var states: [StoreContents] = []
        private var number = 0
        /// What attempts threw.
        private(set) var errors: [any Error] = []
        let folder: TemporaryFolder
        let disk: FaultyDisk
        let url: URL
        var stack: Stack
        /// The stages that the store was last opened with.
        private(set) var stages: StagedMigration?
        /// Replaces what workloads ask for; `nil` for that.
        private let synchronous: StoreDescription.Synchronous?
        /// Attempts before this one that changed the store are not made again: another run has.
        private let first: Int
        /// Is called with the number of each attempt that begins, and of each that has returned.
        var follow: (Progress) -> Void = { _ in }
        /// Indicates whether `heal()` repairs the disk.
        var canHeal = true
        /// Repairs what fails besides the disk.
        var repair: () -> Void = {}
        private(set) lazy var context = ManagedObjectContext(coordinator: stack.coordinator)

        enum Progress: Sendable {
            case began(Int)
            case returned(Int)
        }

        /// - Parameters:
        ///   - template: The folder whose files the store begins with.
        ///   - expected: The states of a run without faults; `nil` to find them.
        ///   - synchronous: Replaces what workloads ask for.
        convenience init(
            _ template: URL, expected: [StoreContents]? = nil, synchronous: StoreDescription.Synchronous? = nil
        ) throws {
            try self.init(in: TemporaryFolder(copying: template), expected: expected, synchronous: synchronous)
        }

        /// - Parameters:
        ///   - folder: The folder with the store.
        ///   - expected: The states of a run without faults; `nil` to find them.
        ///   - synchronous: Replaces what workloads ask for.
        ///   - first: The number of attempts whose changes are in the store.
        init(
            in folder: TemporaryFolder, expected: [StoreContents]?,
            synchronous: StoreDescription.Synchronous? = nil, first: Int = 0
        ) throws {
            self.expected = expected
            self.synchronous = synchronous
            self.first = first
            self.folder = folder
            url = folder.file("shop.sqlite")
            disk = try FaultyDisk(folder: folder.url)
            stack = Stack(model: try Bookcase.model.get())
        }

        func open(
            _ model: Result<ManagedObjectModel, any Error> = Bookcase.model, tracksHistory: Bool = false,
            synchronous: StoreDescription.Synchronous = .full, stages: StagedMigration? = nil
        ) throws {
            stack = Stack(model: try model.get())
            self.stages = stages
            // Errors that nobody throws would fill the log.
            stack.onError { _ in }
            try stack.addDatabaseStore(
                fileURL: url, stages: stages, synchronous: self.synchronous ?? synchronous,
                tracksHistory: tracksHistory)
        }

        /// Reads a store. A second attempt may give tags other keys: those of a failed batch are not given out again.
        static func contents(of url: URL, recovers: Bool = false) throws -> StoreContents {
            try StoreContents(of: url, leavingOut: ["ZFAULTTAG.Z_PK"], recovers: recovers)
        }

        /// Makes old files look old enough to be swept.
        func age() throws {
            let files = StoreContents.externalFiles(of: url)
            if FileManager.default.fileExists(atPath: files.path) { try PhotoShop.age(files) }
        }

        func heal() {
            if canHeal { disk.heal() }
            repair()
        }

        // MARK: Attempts

        /// - Parameter again: The second attempt, with the error of the first.
        func attempt(_ body: () throws -> Void, again: (any Error) throws -> Void) throws {
            let isDone = number < first && expected.map { $0[number] != $0[number + 1] } ?? false
            if !isDone {
                follow(.began(number))
                try make(body, again: again)
                follow(.returned(number))
            }
            number += 1
            disk.mark("\(number)")
        }

        private func make(_ body: () throws -> Void, again: (any Error) throws -> Void) throws {
            guard let expected else {
                if states.isEmpty { states.append(try Self.contents(of: url)) }
                try body()
                states.append(try Self.contents(of: url))
                return
            }
            do {
                try body()
            } catch {
                errors.append(error)
                heal()
                try checkError(error)
                try checkState(in: [expected[number], expected[number + 1]], "after \(error)")
                do { try again(error) } catch {
                    throw Violation(description: "The second attempt failed, after \(errors): \(error)")
                }
                try checkState(in: [expected[number + 1]], "after the second attempt, after \(errors)")
            }
        }

        func attempt(_ body: () throws -> Void) throws { try attempt(body) { _ in try body() } }

        /// Makes attempts that are parts of one call: each is in the store as a whole or not at all, after those before it.
        /// All of them are made again if some are in the store.
        ///
        /// - Parameters:
        ///   - atOnce: The number of parts that may be in the store before the call says so of the first of them.
        ///   - alone: Makes one part, in the run that finds the states.
        ///   - together: Makes all parts. Says how many are in the store.
        ///   - again: The second time, with the error of the first.
        func attempts(
            _ count: Int, atOnce: Int, alone: (Int) throws -> Void,
            together: (_ told: @escaping @Sendable (Int) -> Void) throws -> Void,
            again: (any Error, _ told: @escaping @Sendable (Int) -> Void) throws -> Void
        ) throws {
            let end = number + count
            guard let expected else {
                if states.isEmpty { states.append(try Self.contents(of: url)) }
                for part in 0..<count {
                    try alone(part)
                    states.append(try Self.contents(of: url))
                }
                return number = end
            }
            let told = follower(of: end - count..<end, atOnce: atOnce)
            do { try together(told) } catch {
                errors.append(error)
                heal()
                try checkError(error)
                try checkState(in: Array(expected[number...min(number + atOnce, end)]), "after \(error)")
                do { try again(error, told) } catch {
                    throw Violation(description: "The second attempt failed, after \(errors): \(error)")
                }
                try checkState(in: [expected[end]], "after the second attempt, after \(errors)")
            }
            guard number == end else { throw Violation(description: "\(number) of \(end) parts are said to be done.") }
        }

        /// Returns what is to be called with the number of parts that are in the store.
        private func follower(of parts: Range<Int>, atOnce: Int) -> @Sendable (Int) -> Void {
            for part in parts.prefix(atOnce) { follow(.began(part)) }
            // unsafe: it is called while the thread of the run waits for the call, by one thread at a time.
            nonisolated(unsafe) let run = self
            return { done in
                while run.number < parts.lowerBound + done {
                    run.follow(.returned(run.number))
                    run.number += 1
                    run.disk.mark("\(run.number)")
                    let begun = run.number + atOnce - 1
                    if parts.contains(begun) { run.follow(.began(begun)) }
                }
            }
        }

        /// Changes objects and saves them. After a failed save, saves the same context once more; a context that says that
        /// values could not be read is rolled back, and the changes are made again.
        func commit(_ edit: (ManagedObjectContext) throws -> Void) throws {
            let context = context
            var isEdited = false
            try attempt {
                try edit(context)
                guard context.hasChanges else { throw NothingChanged() }
                isEdited = true
                try context.save()
            } again: { error in
                if isEdited {
                    guard context.hasChanges else { throw Violation(description: "The changes are gone.") }
                    do { return try context.save() } catch let error as SaveError where error.code == .unreadValues {}
                }
                context.rollback()
                try edit(context)
                try context.save()
            }
        }

        /// Heals the disk, and closes the store.
        func close() throws {
            heal()
            context.endTurn()
            try stack.close()
        }

        // MARK: Checks

        /// Heals the disk, closes the store and compares it with the last state.
        func finish() throws {
            try close()
            guard let last = expected?.last else { return }
            try checkState(in: [last], "at the end, after \(errors)")
        }

        /// After the next opening and closing, each file of external data has a row.
        ///
        /// - Parameter open: Opens the store.
        func checkForOrphans(_ open: (FaultRun) throws -> Void = { try $0.open() }) throws {
            try age()
            try open(self)
            try stack.close()
            let folder = StoreContents.externalFiles(of: url)
            guard FileManager.default.fileExists(atPath: folder.path) else { return }
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
            let orphans = names.subtracting(try Self.contents(of: url).fileNames)
            if !orphans.isEmpty { throw Violation(description: "Files without rows: \(orphans.sorted())") }
        }

        private func checkError(_ error: any Error) throws {
            if error is any DataMonkError || error is NothingChanged { return }
            throw Violation(description: "An error of no public type: \(type(of: error)) \(error)")
        }

        private func checkState(in states: [StoreContents], _ place: String) throws {
            let found = try Self.contents(of: url)
            if !found.damage.isEmpty { throw Violation(description: "\(found.damage) \(place)") }
            guard !states.contains(found), let last = states.last else { return }
            throw Violation(description: "The store is not as expected \(place): \(found.difference(from: last))")
        }
    }
#endif
