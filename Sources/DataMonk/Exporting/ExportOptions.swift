/// **Value.** The options of an export.
///
///     var options = ExportOptions(format: .jsonLines, properties: ["id", "name", "boss"])
///     options.progress = { report in print("\(report.rows) of \(report.total)") }
///     try await stack.exportRows(Person.self, to: .file(url), options: options)
public struct ExportOptions: Sendable {
    /// The format.
    public var format: ExportFormat
    /// The names of the properties to write, in their order; `nil` for all that an import reads. One that cannot be written is
    /// an error if it is named, and otherwise listed in ``ExportReport/omitted``. At least one, each once.
    public var properties: [String]?
    /// The number of levels of related objects that are written as objects inside of others. Those beyond are written by their
    /// keys, as are objects that lead back to themselves. A table has no levels. More than ``maximumDepth`` levels are an error.
    ///
    /// - Precondition: Not negative.
    public var depth: Int
    /// The largest ``depth``. Imports read 128 levels of JSON, of which each level of objects in arrays takes two, and some are
    /// left for values of `@Attribute(.codable)`.
    public static let maximumDepth = 48
    /// A Boolean value indicating whether a file at the target is replaced. Otherwise it is an error.
    public var replacesFile: Bool
    /// Called about every 500 objects with the report so far, on the thread that exports.
    public var progress: (@Sendable (ExportReport) -> Void)?

    /// Creates options.
    public init(
        format: ExportFormat = .json, properties: [String]? = nil, depth: Int = 0, replacesFile: Bool = false
    ) {
        self.format = format
        self.properties = properties
        self.depth = depth
        self.replacesFile = replacesFile
    }
}
