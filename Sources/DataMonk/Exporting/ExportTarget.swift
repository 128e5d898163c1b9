public import Foundation

/// **Shared.** The place where an export is written to.
public enum ExportTarget: Sendable {
    /// A file, which appears at its place with one step, when it is complete and on disk.
    case file(URL)
    /// A function that is called with one part after the other, on the thread that exports. Each part is of the export's state;
    /// together they are the rows only if the export returns. An error that the function throws ends it. While it runs, the
    /// store's state is held, so it should not wait for long.
    case sink(@Sendable (Data) throws -> Void)
}
