#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// What an import does beside what else it does.
    @Suite struct `Chunks in flight` {
        private func rows(_ count: Int, didRead: @escaping @Sendable (Int) -> Void) -> AsyncStream<ImportRow> {
            let next = Locked(0)
            return AsyncStream {
                let number = next.withLock { number in
                    defer { number += 1 }
                    return number
                }
                if number == count { return nil }
                didRead(number)
                return ImportRow(
                    at: ImportPlace(index: number), values: ["id": .int(Int64(number)), "login": .string("\(number)")])
            }
        }

        @Test(arguments: [1, 2, 5]) func `are as many as the options say, and one that is read`(
            count: Int
        ) async throws {
            // A commit has begun when all chunks before it are committed.
            let (begun, violations) = (Locked(0), Locked<[Int]>([]))
            let tracker = try Tracker { sql in if sql.hasPrefix("BEGIN IMMEDIATE") { begun.withLock { $0 += 1 } } }
            begun.withLock { $0 = 0 }
            var options = ImportOptions()
            (options.chunkSize, options.chunksInFlight) = (10, count)
            let input = rows(1_000) { number in
                if number / 10 - begun.withLock({ $0 }) > count { violations.withLock { $0.append(number) } }
            }
            let report = try await tracker.stack.importRows(Tracker.User.self, from: input, options: options)
            #expect(report.inserted == 1_000 && violations.withLock { $0 }.isEmpty)
            #expect(begun.withLock { $0 } >= 100)
        }

        @Test(.timeLimit(.minutes(60))) func `are read and matched while the first one is written`() async throws {
            let written = Locked(0)
            let matched = DispatchSemaphore(value: 0)
            let read = DispatchSemaphore(value: 0)
            // The writing of the first chunk does not go on before the second one is matched and the third one read.
            let tracker = try Tracker { sql in
                if sql.hasPrefix("INSERT INTO ZIMPORTUSER") {
                    let isFirst = written.withLock { count in
                        count += 1
                        return count == 1
                    }
                    if isFirst {
                        matched.wait()
                        matched.wait()
                        read.wait()
                    }
                } else if sql.hasPrefix("SELECT"), sql.contains("FROM ZIMPORTUSER"), sql.contains("ZID") {
                    matched.signal()
                }
            }
            var options = ImportOptions()
            options.chunkSize = 10
            let input = rows(100) { if $0 == 20 { read.signal() } }
            let report = try await tracker.stack.importRows(Tracker.User.self, from: input, options: options)
            #expect(report.inserted == 100)
        }
    }
#endif
