#if Macros
    import DataMonk
    import Foundation

    extension FaultWorkload {
        /// Imports rows, a chunk in each attempt: books that are there and new ones, by their titles, with shelves and tags by
        /// their names. Each chunk is there as a whole or not at all, and the next attempt completes it.
        static let importing = FaultWorkload(name: "importing") { run in
            for chunk in 0..<3 { try run.attempt { try importChunk(chunk, run) } }
        }

        /// Imports the same rows, and more, from a file: chunks are read, matched and committed beside one another. An import
        /// that has failed goes on where it ended; one that was killed is made again, over all that is there. Each ends like
        /// imports of the chunks alone, and makes nothing more when it is made once more.
        static let importingFile = FaultWorkload(
            name: "importing a file",
            fill: { url in
                try Bookcase.fill(url)
                let lines = try (0..<chunks).flatMap { rows($0) }.map { try text($0.content.get()) + "\n" }
                try Data(lines.joined().utf8).write(to: inputURL(in: url.deletingLastPathComponent()))
            }, atOnce: 2
        ) { run in
            try run.attempts(chunks, atOnce: 2) { chunk in
                try importChunk(chunk, run)
            } together: { told in
                try importFile(run, told)
                try importNothing(run)
            } again: { error, told in
                guard let report = (error as? ImportError)?.report else {
                    throw FaultRun.Violation(description: "There is no report.")
                }
                try importFile(run, from: report.nextIndex, told)
                try importNothing(run)
            }
        }

        private static let chunks = 4

        private static func inputURL(in folder: URL) -> URL { folder.appending(path: "books.jsonl") }

        /// Imports one chunk by an update.
        private static func importChunk(_ chunk: Int, _ run: FaultRun) throws {
            try Context(stack: run.stack).beginUpdateAndWait { update in
                let report = try update.import(entityName: "FaultBook", from: rows(chunk))
                guard report.failed == 0, report.rows == 5 else {
                    throw FaultRun.Violation(description: "The import failed: \(report)")
                }
                try update.commit()
            }
        }

        /// Imports the rows of the file.
        ///
        /// - Parameter first: The row to begin with.
        /// - Parameter told: Is called with the number of chunks that are in the store.
        @discardableResult
        private static func importFile(
            _ run: FaultRun, from first: Int = 0, _ told: @escaping @Sendable (Int) -> Void = { _ in }
        ) throws -> ImportReport {
            var options = ImportOptions()
            (options.chunkSize, options.chunksInFlight, options.resumingAt) = (5, 2, first)
            options.progress = { told($0.nextIndex / 5) }
            let report = try TaskThread.run { [stack = run.stack, url = inputURL(in: run.folder.url), options] in
                try await stack.importRows(
                    entityName: "FaultBook", from: JSONLines(.file(url)), options: options)
            }
            guard report.failed == 0, report.nextIndex == 5 * chunks else {
                throw FaultRun.Violation(description: "The import failed: \(report)")
            }
            return report
        }

        /// Imports the rows that are all there.
        private static func importNothing(_ run: FaultRun) throws {
            let report = try importFile(run)
            guard report.unchanged == 5 * chunks, report.relatedInserted == 0 else {
                throw FaultRun.Violation(description: "There was something to import: \(report)")
            }
        }

        /// The JSON of a row. Its texts have nothing that JSON escapes.
        private static func text(_ values: [String: ManagedValue]) throws -> String {
            "{" + (try values.map { "\"\($0.key)\": \(try text($0.value))" }).joined(separator: ", ") + "}"
        }

        private static func text(_ value: ManagedValue) throws -> String {
            switch value {
            case .string(let text): "\"\(text)\""
            case .int(let number): "\(number)"
            case .list(let values): "[" + (try values.map { try text($0) }).joined(separator: ", ") + "]"
            default: throw CocoaError(.coderInvalidValue)
            }
        }

        private static func rows(_ chunk: Int) -> [ImportRow] {
            (0..<5).map { place in
                ImportRow(
                    at: ImportPlace(index: place),
                    values: [
                        "title": .string(place < 3 ? "book \(chunk).\(place)" : "new \(chunk).\(place)"),
                        "pages": .int(Int64(200 + place)), "shelf": .string("shelf \((chunk + place) % 4)"),
                        "tags": ["tag 0", .string("tag \(place)")],
                    ])
            }
        }
    }
#endif
