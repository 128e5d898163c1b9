/// **Value.** A file that tests read and that belongs to others: a line of `manifest.tsv`.
package struct Fixture: Sendable, Hashable {
    package enum Origin: String, Sendable {
        /// The bytes of a file of a repository.
        case copy
        /// Facts taken from a file of a repository, in a form of this project's own.
        case derived
        /// A copy of which the commit and the path were not recorded.
        case unknown
    }

    /// The path below the folder of the fixtures, such as `stores/Moody/Moody.sqlite`.
    package let path: String
    /// Its length in bytes.
    package let size: Int
    /// The SHA-256 of its bytes, 64 hexadecimal digits. `fetch` compares it; tests compare the size alone.
    package let hash: String
    package let origin: Origin

    /// Reads a line of the manifest.
    ///
    /// - Parameter number: Counted from 1, for errors.
    init(line: Substring, number: Int) throws(FixtureError) {
        func refuse(_ reason: String) -> FixtureError { .malformed(line: number, reason: reason) }
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard columns.count == 8, !columns.contains("") else {
            throw refuse("It needs eight columns with a tab between them; \"-\" stands for what is unknown.")
        }
        path = columns[0]
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw refuse("\"\(path)\" is not a path below a folder.")
        }
        guard let size = Int(columns[1]), size >= 0 else { throw refuse("\"\(columns[1])\" is no size in bytes.") }
        self.size = size
        hash = columns[2]
        guard Self.isHexadecimal(hash, count: 64) else { throw refuse("\"\(hash)\" is no SHA-256.") }
        guard let origin = Origin(rawValue: columns[3]) else {
            throw refuse("The origin is \"copy\", \"derived\" or \"unknown\", not \"\(columns[3])\".")
        }
        self.origin = origin
        let isFound = columns[5].contains("://") && Self.isHexadecimal(columns[6], count: 40) && columns[7] != "-"
        guard origin != .copy || isFound else { throw refuse("A copy needs a repository, a commit and a source.") }
    }

    private static func isHexadecimal(_ text: String, count: Int) -> Bool {
        text.count == count && text.allSatisfy { ("0"..."9").contains($0) || ("a"..."f").contains($0) }
    }
}
