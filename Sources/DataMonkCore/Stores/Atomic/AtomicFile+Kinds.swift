package import Foundation

extension AtomicFile {
    /// **Value.** A form of files that are held in memory as a whole.
    package enum Kind: Sendable {
        case xml, binary

        /// Returns `true` if a file begins as one of this form does.
        fileprivate func begins(_ bytes: Data) -> Bool {
            switch self {
            case .binary: bytes.starts(with: BinaryStore.magic)
            case .xml: bytes.prefix(1_024).range(of: Data("<database".utf8)) != nil || isDocument(bytes)
            }
        }

        private func isDocument(_ bytes: Data) -> Bool {
            bytes.starts(with: Data("<?xml".utf8)) && bytes.prefix(1_024).range(of: Data("CoreData.dtd".utf8)) != nil
        }
    }

    /// Removes a file.
    ///
    /// - Returns: `false` if there was none.
    /// - Throws: ``StoreError`` with the code `invalidType` if the file has another form; it is then left alone.
    package static func destroy(_ url: URL, of kind: Kind, files: any FileCalls) throws -> Bool {
        let file = try AtomicFile(url, maximumSize: .max, files: files)
        guard let bytes = try file.read() else { return false }
        try file.require(kind, bytes)
        try file.remove()
        return true
    }

    /// Replaces a file by another one, or makes it if there is none.
    ///
    /// - Returns: The number of bytes.
    /// - Throws: ``StoreError`` with the code `fileNotFound` if there is no other file, `invalidType` if one of them has another
    ///   form, `fileMoved` if the file is changed meanwhile; it is then as it was.
    package static func replace(_ url: URL, with source: URL, of kind: Kind, files: any FileCalls) throws -> Int {
        let other = try AtomicFile(source, maximumSize: .max, files: files)
        guard let bytes = try other.read() else { throw StoreError.noFile(source) }
        try other.require(kind, bytes)
        let file = try AtomicFile(url, maximumSize: .max, files: files)
        if let former = try file.read() { try file.require(kind, former) }
        do {
            try file.write(bytes)
        } catch let error as UnconfirmedSave {
            throw error.cause
        }
        return bytes.count
    }

    private func require(_ kind: Kind, _ bytes: Data) throws {
        if kind.begins(bytes) { return }
        throw StoreError(
            .invalidType,
            """
            \(url.lastPathComponent) is no \(kind == .xml ? "XML" : "binary") store, and was not changed. Name a store of \
            this kind.
            """, storeURL: url)
    }
}

extension StoreError {
    fileprivate static func noFile(_ url: URL) -> StoreError {
        StoreError(.fileNotFound, "The file \(url.path) does not exist. Check the path.", storeURL: url)
    }
}
