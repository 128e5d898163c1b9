import DataMonkCore
import Foundation

extension ExternalDataFolder {
    /// Writes a value to a new file, which is complete and on disk when this returns. `synchronize` makes its directory
    /// entry durable, too.
    func write(_ bytes: UnsafeRawBufferPointer) throws -> UUID {
        guard let folder = try open(creating: true) else {
            throw StoreError.externalData(ENOENT, name: "", in: storeURL)
        }
        let identifier = UUID()
        let note = writtenFiles.withLock { $0?.note }
        try note?(identifier)
        try make(identifier, in: folder, draft: identifier) {
            try write(bytes, to: $0, name: identifier.uuidString)
        }
        writtenFiles.withLock { _ = $0?.names.append(identifier) }
        return identifier
    }

    /// Lists the values that are written from now on, for `removeListedFiles()`.
    ///
    /// - Parameter note: Called with the name of each file before it is made. An error that it throws refuses the value.
    func listWrittenFiles(noting note: @escaping @Sendable (UUID) throws -> Void = { _ in }) {
        writtenFiles.withLock { $0 = WrittenFiles(note: note) }
    }

    /// Removes the values written since `listWrittenFiles()`.
    func removeListedFiles() {
        let written = writtenFiles.withLock { written in
            defer { written = nil }
            return written?.names ?? []
        }
        remove(written)
    }

    /// Makes a file by writing to a draft, which gets the file's name when it is complete and on disk.
    ///
    /// - Parameter draft: A new UUID, for the draft's name: what a killed process left of a copy is in nobody's way.
    func make(_ identifier: UUID, in folder: Int32, draft: UUID, _ body: (Int32) throws -> Void) throws {
        let name = identifier.uuidString
        let draft = Self.draftName(of: draft.uuidString)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = files.open(draft, in: folder, flags, mode: 0o600)
        guard file >= 0 else { throw StoreError.externalData(errno, name: name, in: storeURL, failure: .writeFailed) }
        do {
            defer { files.close(file) }
            try body(file)
            guard files.synchronize(file) == 0, files.rename(draft, to: name, in: folder) == 0 else {
                throw StoreError.externalData(errno, name: name, in: storeURL, failure: .writeFailed)
            }
        } catch {
            _ = files.remove(draft, in: folder)
            throw error
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, name: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = files.write(rest, to: file)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw StoreError.externalData(count < 0 ? errno : EIO, name: name, in: storeURL, failure: .writeFailed)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Makes the directory entries of files written so far survive a power cut, and checks that the folder is the one beside
    /// the store (invariant 2).
    ///
    /// - Throws: ``StoreError`` with the code `fileMoved` if the folder was moved, deleted or replaced.
    func synchronize() throws {
        guard let folder = try open(creating: false) else { return }
        guard files.synchronize(folder) == 0 else {
            throw StoreError.externalData(errno, name: "its folder", in: storeURL, failure: .writeFailed)
        }
        let place = Self.url(of: storeURL).appendingPathComponent(Self.filesName).path
        var (own, found) = (stat(), stat())
        guard files.examine(folder, &own) == 0 else {
            throw StoreError.externalData(errno, name: "its folder", in: storeURL)
        }
        let isThere = files.examine(place, in: AT_FDCWD, &found) == 0
        guard isThere || errno == ENOENT || errno == ENOTDIR else {
            throw StoreError.externalData(errno, name: "its folder", in: storeURL)
        }
        guard isThere, FileIdentity(found) == FileIdentity(own) else { throw StoreError.movedExternalData(storeURL) }
    }

    /// Removes files that no row names. A file that cannot be removed is left to the next sweep.
    func remove(_ identifiers: some Sequence<UUID>) {
        let folder = descriptorIfOpen
        guard folder >= 0 else { return }
        for identifier in identifiers { _ = files.remove(identifier.uuidString, in: folder) }
    }

    static func draftName(of name: String) -> String { ".\(name).new" }
}

extension ExternalDataFolder {
    /// The minimum age of a file to be swept, in seconds. Programs that ignore the lock, including Apple's, write a file
    /// some time before they commit the row that names it.
    static let gracePeriod = 3_600

    /// Returns the names of files older than the grace period: values, and values that were never completely written.
    func filesPastGracePeriod() throws -> Set<String> {
        guard let folder = try open(creating: false) else { return [] }
        let now = time(nil)
        return Set(
            try names(in: folder).filter { name in
                guard Self.identifier(in: name) != nil else { return false }
                var status = stat()
                if files.examine(name, in: folder, &status) == 0 { return status.modified <= now - Self.gracePeriod }
                // Removed by somebody else.
                if errno == ENOENT { return false }
                throw StoreError.externalData(errno, name: name, in: storeURL)
            })
    }

    /// Returns the names that no row refers to. `referenced` contains the identifiers in rows.
    static func orphans(among names: Set<String>, referenced: Set<UUID>) -> Set<String> {
        names.filter { $0.hasPrefix(".") || identifier(in: $0).map(referenced.contains) == false }
    }

    /// Removes files by name.
    ///
    /// - Throws: ``StoreError`` for the first file that cannot be removed, after the others.
    func remove(names: Set<String>) throws {
        let folder = descriptorIfOpen
        guard folder >= 0 else { return }
        var failure: StoreError?
        for name in names.sorted() where files.remove(name, in: folder) != 0 && errno != ENOENT {
            failure = failure ?? StoreError.unremovable(errno, name: name, in: storeURL)
        }
        if let failure { throw failure }
    }

    /// Returns `true` if a file with this identifier exists.
    ///
    /// - Throws: ``StoreError`` if the folder cannot be examined.
    func holds(_ identifier: UUID) throws -> Bool {
        guard let folder = try open(creating: false) else { return false }
        var status = stat()
        if files.examine(identifier.uuidString, in: folder, &status) == 0 {
            return status.st_mode & S_IFMT == S_IFREG
        }
        if errno == ENOENT { return false }
        throw StoreError.externalData(errno, name: identifier.uuidString, in: storeURL)
    }

    /// A Boolean value indicating whether another store shares the folder. By Core Data's naming rule, `Shop.sqlite` and
    /// `Shop.db` do, and neither knows which files belong to the other.
    var hasSibling: Bool {
        get throws {
            let stem = storeURL.deletingPathExtension().lastPathComponent
            let own = storeURL.lastPathComponent
            return try namesBesideStore().contains { name in
                name != own && URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent == stem
                    && !["-wal", "-shm", "-journal"].contains { name == own + $0 } && !isFolder(name)
            }
        }
    }

    /// Returns `true` for a folder beside the store, such as one that holds an earlier store.
    private func isFolder(_ name: String) -> Bool {
        var status = stat()
        let path = storeURL.deletingLastPathComponent().appendingPathComponent(name).path
        return files.examine(path, in: AT_FDCWD, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the names in the directory of the store.
    ///
    /// - Throws: ``StoreError`` with the code `readFailed` if the directory cannot be listed.
    func namesBesideStore() throws -> [String] {
        let path = storeURL.deletingLastPathComponent().path
        let directory = files.open(path, in: AT_FDCWD, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        guard directory >= 0 else { throw StoreError.unlistedDirectory(errno, of: storeURL) }
        defer { files.close(directory) }
        return try names(in: directory)
    }

    /// Returns the UUID in the name of a value or of a value being written; `nil` for other names, which are not ours.
    static func identifier(in name: String) -> UUID? {
        guard name.hasPrefix(".") else { return UUID(uuidString: name) }
        guard name.hasSuffix(".new") else { return nil }
        return UUID(uuidString: String(name.dropFirst().dropLast(4)))
    }

    func names(in folder: Int32) throws -> [String] {
        // A descriptor of its own, because reading a folder moves the position.
        let copy = files.open(".", in: folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let code = errno
            if copy >= 0 { files.close(copy) }
            throw StoreError.externalData(code, name: "its folder", in: storeURL)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // The end and an error differ in it alone.
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw StoreError.externalData(errno, name: "its folder", in: storeURL) }
                return names
            }
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                        String(cString: $0)
                    }
                })
        }
    }
}

extension stat {
    /// The time of the file's last modification, in seconds since 1970.
    fileprivate var modified: time_t {
        #if canImport(Darwin)
            st_mtimespec.tv_sec
        #else
            st_mtim.tv_sec
        #endif
    }
}
