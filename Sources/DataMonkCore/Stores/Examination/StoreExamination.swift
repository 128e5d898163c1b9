public import Foundation

/// **Value.** The result of examining a store: everything that is wrong with it.
///
/// ```swift
/// let examination = try Stack.examine(storeAt: url)
/// for finding in examination.findings { print(finding) }
/// ```
public struct StoreExamination: Sendable {
    /// The examined file.
    public var url: URL
    /// The damage, from the file to single rows; empty for a sound store.
    public var findings: [StoreFinding]
    /// The number of objects of each entity, without those of its sub-entities. Entities without objects are included.
    public var objectCounts: [String: Int]
    /// A Boolean value indicating whether everything was examined. It is `false` if there is no model to examine rows by, or
    /// if tables could not be read; a finding says so.
    public var isComplete: Bool

    package init(url: URL, findings: [StoreFinding], objectCounts: [String: Int], isComplete: Bool) {
        self.url = url
        self.findings = findings
        self.objectCounts = objectCounts
        self.isComplete = isComplete
    }

    /// A Boolean value indicating whether nothing is wrong.
    public var isSound: Bool { findings.isEmpty && isComplete }

    /// The findings that only a salvage or the user can resolve.
    public var unrepairable: [StoreFinding] { findings.filter { $0.remedy != .repair } }
}
