import DataMonk

extension ImportReport {
    /// The output of `import`.
    package var text: String {
        var lines = [isDryRun ? "Dry run     nothing was written" : nil, "Rows        \(rows)"].compactMap(\.self)
        let counts = [
            ("inserted", inserted), ("updated", updated), ("unchanged", unchanged), ("skipped", skipped),
            ("failed", failed),
        ]
        lines += counts.map { name, count in "  \(name)\(String(repeating: " ", count: 10 - name.count))\(count)" }
        if relatedInserted > 0 { lines.append("Related     \(relatedInserted) objects inserted beside the rows' own") }
        if !unusedNames.isEmpty {
            lines.append("Unused      \(unusedNames.sorted().joined(separator: ", ")): no property takes these")
        }
        if !failures.isEmpty { lines.append("Failures") }
        lines += failures.map { "  \($0)" }
        if failed > failures.count { lines.append("  and \(failed - failures.count) more") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The output of `import --json`.
    package var json: JSONValue {
        [
            "rows": .integer(rows), "inserted": .integer(inserted), "updated": .integer(updated),
            "unchanged": .integer(unchanged), "skipped": .integer(skipped), "failed": .integer(failed),
            "relatedInserted": .integer(relatedInserted), "nextIndex": .integer(nextIndex), "isDryRun": .bool(isDryRun),
            "unusedNames": .strings(unusedNames.sorted()),
            "failures": .array(
                failures.map { failure in
                    [
                        "index": .integer(failure.place.index),
                        "line": failure.place.line.map { .integer($0) } ?? .null,
                        "key": .optional(failure.key), "message": .string(failure.message),
                    ]
                }),
        ]
    }
}
