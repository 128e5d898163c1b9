#if Macros
    import DataMonk

    extension FaultWorkload {
        /// Imports rows, a chunk in each attempt: books that are there and new ones, by their titles, with shelves and tags by
        /// their names. Each chunk is there as a whole or not at all, and the next attempt completes it.
        static let importing = FaultWorkload(name: "importing") { run in
            for chunk in 0..<3 {
                try run.attempt {
                    try Context(stack: run.stack).beginUpdateAndWait { update in
                        let report = try update.import(entityName: "FaultBook", from: rows(chunk))
                        guard report.failed == 0, report.rows == 5 else {
                            throw FaultRun.Violation(description: "The import failed: \(report)")
                        }
                        try update.commit()
                    }
                }
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
