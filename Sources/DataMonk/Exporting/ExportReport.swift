/// **Value.** The outcome of an export.
///
///     if !report.omitted.isEmpty { print("Not written: \(report.omitted)") }
public struct ExportReport: Sendable, Hashable {
    /// The number of objects written.
    public package(set) var rows = 0
    /// The number of objects of the fetch.
    public package(set) var total = 0
    /// The number of bytes written.
    public package(set) var bytes = 0
    /// The relationships and attributes that the format cannot have, as `Person.friends`: to objects without a key, for which
    /// ``ExportOptions/depth`` helps, and in tables to-manys and composite attributes.
    public package(set) var omitted: [String] = []

    /// The number of objects with the key of the object before them, which an import takes for one object. Equal keys follow one
    /// another in the usual order, that of a key of one attribute; with another order those that lie apart are not counted.
    public package(set) var repeatedKeys = 0

    package init() {}
}
