/// **Value.** The reason why a fixture cannot be had.
package enum FixtureError: Error, Hashable, CustomStringConvertible {
    /// A line of the manifest is wrong.
    case malformed(line: Int, reason: String)
    /// No fixture of the manifest has the path, or lies below it.
    case unlisted(String)
    /// Files are missing, or have another size than the manifest says.
    case missing(paths: [String], folder: String)

    package var description: String {
        switch self {
        case .malformed(let line, let reason): "Tests/Fixtures/manifest.tsv, line \(line): \(reason)"
        case .unlisted(let path): "The manifest lists no fixture at \"\(path)\". Add it to Tests/Fixtures/manifest.tsv."
        case .missing(let paths, let folder):
            "\(paths.count == 1 ? "A fixture is" : "\(paths.count) fixtures are") missing in \(folder), first "
                + "\"\(paths.first ?? "")\". Tests/Fixtures/fetch gets them."
        }
    }
}
