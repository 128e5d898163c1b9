/// **Value.** What a paragraph says of one package.
public struct PackageRecord: Hashable, Sendable {
    /// Its name, which it may share with packages of other architectures.
    public var name: String
    /// What it runs on: `amd64`, or `all` for everywhere.
    public var architecture: String
    /// Empty if the paragraph has none, as it is for packages that were removed.
    public var version: String
    /// Whether it is on the machine, in whole. Never in an archive's list.
    public var isInstalled: Bool
    /// What it is for.
    public var section: String?
    /// Who looks after it, with the address.
    public var maintainer: String?
    /// In KiB.
    public var installedSize: Int
    /// The description's first line.
    public var summary: String
    /// Pre-Depends and Depends.
    public var dependencies: [Dependency]
    /// Names it stands for besides its own.
    public var provides: [Dependency]

    /// Several packages may have one name; name and architecture belong to one.
    public var key: String {
        Self.key(name, architecture)
    }

    /// The key of a name on an architecture.
    public static func key(_ name: String, _ architecture: String) -> String {
        architecture.isEmpty ? name : "\(name):\(architecture)"
    }
}

extension PackageRecord {
    /// Reads the fields of a paragraph.
    ///
    /// - Throws: ``ControlFileError`` naming the package if a field has no sense.
    public init(_ paragraph: Paragraph, of file: ControlFile) throws(ControlFileError) {
        func error(_ message: String) -> ControlFileError {
            ControlFileError(line: file.lineNumber(at: paragraph.offset), message: message)
        }
        func list(_ field: String) throws(ControlFileError) -> [Dependency] {
            guard let text = paragraph[field] else { return [] }
            do {
                return try Dependency.list(text)
            } catch {
                throw ControlFileError(
                    line: file.lineNumber(at: paragraph.offset),
                    message: "\(field) of \(paragraph["Package"] ?? "?") reads \u{201C}\(error.text)\u{201D}; "
                        + "at character \(error.offset + 1) should stand \(error.expected)")
            }
        }
        guard let name = paragraph["Package"], !name.isEmpty else {
            throw error("the paragraph has no field Package; only lists of packages can be read")
        }
        self.name = name
        architecture = paragraph["Architecture"] ?? ""
        version = paragraph["Version"] ?? ""
        isInstalled = paragraph["Status"]?.split(separator: " ").last == "installed"
        section = paragraph["Section"]
        maintainer = paragraph["Maintainer"]
        let size = paragraph["Installed-Size"] ?? "0"
        guard let installedSize = Int(size), installedSize >= 0 else {
            throw error("Installed-Size of \(name) is \u{201C}\(size)\u{201D}, not a number")
        }
        self.installedSize = installedSize
        summary = paragraph.firstLine(of: "Description") ?? ""
        dependencies = try list("Pre-Depends") + list("Depends")
        provides = try list("Provides")
    }
}

extension ControlFile {
    /// The packages of the file, its pieces read side by side.
    ///
    /// - Parameters:
    ///   - pieceCount: into how many pieces the file is cut.
    ///   - onPiece: called as each piece is done, with its length in bytes.
    public func packages(
        pieceCount: Int, onPiece: @Sendable (Int) async -> Void = { _ in }
    ) async throws -> [PackageRecord] {
        let pieces = pieces(pieceCount)
        return try await withThrowingTaskGroup(of: (Int, [PackageRecord]).self) { group in
            for (index, piece) in pieces.enumerated() {
                group.addTask { (index, try paragraphs(in: piece).map { try PackageRecord($0, of: self) }) }
            }
            // The pieces end in any order; their packages stand in the file's.
            var packages = [[PackageRecord]](repeating: [], count: pieces.count)
            for try await (index, records) in group {
                packages[index] = records
                await onPiece(pieces[index].range.count)
            }
            return packages.flatMap(\.self)
        }
    }
}
