import DataMonk

extension ImportReport {
    /// The counts in a line, for comparisons.
    var line: String { "\(inserted) \(updated) \(unchanged) \(skipped) \(failed)" }
}
