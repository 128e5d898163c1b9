package import Foundation

extension AtomicFile {
    /// **Value.** A form of files that are held in memory as a whole.
    package enum Kind: Sendable {
        case xml, binary

        /// The largest file of this form.
        fileprivate var maximumSize: Int {
            switch self {
            case .binary: BinaryStore.maximumSize
            case .xml: XMLTreeReader.Form.store.maximumFileSize
            }
        }

        /// Checks that a file has this form.
        ///
        /// - Throws: ``StoreError`` with the code `invalidType` if it has another form, or `corrupt` if it is damaged.
        fileprivate func check(_ bytes: Data, _ url: URL) throws {
            switch self {
            case .binary: _ = try BinaryStore.contents(of: bytes, url: url)
            case .xml:
                try checkForm(of: bytes, url)
                let root: XMLElementNode
                do {
                    root = try XMLTreeReader.read(bytes, fileName: url.lastPathComponent, form: .store)
                } catch {
                    throw StoreError(.corrupt, error.message, storeURL: url)
                }
                guard root.name == "database", root.children.contains(where: { $0.name == "databaseInfo" }) else {
                    throw StoreError.otherForm(url, of: self)
                }
            }
        }

        /// Checks that a file begins like one of this form, damaged or not.
        ///
        /// - Throws: ``StoreError`` with the code `invalidType` if it has another form.
        fileprivate func checkForm(of bytes: Data, _ url: URL) throws {
            switch self {
            case .binary: try BinaryStore.checkForm(of: bytes, url: url)
            case .xml:
                // Nothing else is lost with an empty file.
                if bytes.isEmpty { return }
                let start = bytes.first { !Data(" \t\r\n\u{FEFF}".utf8).contains($0) }
                let names = bytes.prefix(1 << 12).range(of: Data("<databaseInfo".utf8))
                guard start == UInt8(ascii: "<"), names != nil else { throw StoreError.otherForm(url, of: self) }
            }
        }
    }

    /// Removes a file, damaged or not.
    ///
    /// - Returns: `false` if there was none.
    /// - Throws: ``StoreError`` with the code `invalidType` if the file has another form; it is then left alone.
    package static func destroy(_ url: URL, of kind: Kind, files: any FileCalls) throws -> Bool {
        let file = try AtomicFile(url, maximumSize: kind.maximumSize, files: files)
        let bytes = try file.read()
        if let bytes { try kind.checkForm(of: bytes, url) }
        try file.remove()
        return bytes != nil
    }

    /// Replaces a file, damaged or not, by another one, or makes it if there is none.
    ///
    /// - Returns: The number of bytes.
    /// - Throws: ``StoreError`` with the code `fileNotFound` if there is no other file, `invalidType` if one of them has another
    ///   form, `corrupt` if the other one is damaged, `fileExists` if both are the same, `fileMoved` if the file is changed meanwhile; it is then as it was.
    package static func replace(_ url: URL, with source: URL, of kind: Kind, files: any FileCalls) throws -> Int {
        guard url.resolvingSymlinksInPath() != source.resolvingSymlinksInPath() else { throw StoreError.sameFile(url) }
        let other = try AtomicFile(source, maximumSize: kind.maximumSize, files: files)
        guard let bytes = try other.read() else { throw StoreError.noFile(source) }
        try kind.check(bytes, source)
        let file = try AtomicFile(url, maximumSize: kind.maximumSize, files: files)
        if let former = try file.read() { try kind.checkForm(of: former, url) }
        do {
            try file.write(bytes)
        } catch let error as UnconfirmedSave {
            throw error.cause
        }
        return bytes.count
    }
}

extension StoreError {
    fileprivate static func otherForm(_ url: URL, of kind: AtomicFile.Kind) -> StoreError {
        StoreError(
            .invalidType,
            """
            \(url.lastPathComponent) is no \(kind == .xml ? "XML" : "binary") store, and was not changed. Name a store of \
            this kind.
            """, storeURL: url)
    }

    fileprivate static func sameFile(_ url: URL) -> StoreError {
        StoreError(
            .fileExists, "\(url.lastPathComponent) cannot be replaced by itself. Name another store.", storeURL: url)
    }

    fileprivate static func noFile(_ url: URL) -> StoreError {
        StoreError(.fileNotFound, "The file \(url.path) does not exist. Check the path.", storeURL: url)
    }
}
