import DataMonkCore
import Foundation

extension ExternalDataFolder {
    /// Writes a value into a new file, which is whole and on disk when this returns; that it is in its folder, too, is
    /// what `synchronize` sees to.
    func write(_ bytes: UnsafeRawBufferPointer) throws -> UUID {
        guard let folder = try open(creating: true) else { throw StoreError.externalData(ENOENT, "", storeURL) }
        let identifier = UUID()
        let name = identifier.uuidString
        let draft = Self.draftName(of: name)
        let file = openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError.externalData(errno, name, storeURL) }
        do {
            defer { close(file) }
            try write(bytes, to: file, name)
            guard fsync(file) == 0, renameat(folder, draft, folder, name) == 0 else {
                throw StoreError.externalData(errno, name, storeURL)
            }
        } catch {
            unlinkat(folder, draft, 0)
            throw error
        }
        return identifier
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, _ name: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreError.externalData(count < 0 ? errno : EIO, name, storeURL) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Makes sure that files written so far are in their folder after a power cut.
    func synchronize() throws {
        guard let folder = try open(creating: false) else { return }
        guard fsync(folder) == 0 else { throw StoreError.externalData(errno, "its folder", storeURL) }
    }

    /// Removes files that no row names. One that cannot be removed is left to the next sweep.
    func remove(_ identifiers: some Sequence<UUID>) {
        let folder = descriptorIfOpen
        guard folder >= 0 else { return }
        for identifier in identifiers { unlinkat(folder, identifier.uuidString, 0) }
    }

    static func draftName(of name: String) -> String { ".\(name).new" }
}

extension ExternalDataFolder {
    /// Removes the files that no row names, if nobody else has the store open: not another process, nor another stack of
    /// this one. Whoever has it open may still hold rows that name them.
    ///
    /// A file gets its name before the row that names it is committed; so this runs inside a transaction that writes.
    ///
    /// - Parameter referenced: asks the store for all names in its rows; not called where there is no file.
    func sweep(_ referenced: () throws -> Set<UUID>) throws {
        guard let folder = try open(creating: false), !hasSibling else { return }
        // An attempt that fails loses the shared lock too.
        defer { flock(folder, LOCK_SH) }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else { return }
        let names = try names(in: folder).filter { Self.identifier(in: $0) != nil }
        if names.isEmpty { return }
        let kept = try referenced()
        for name in names {
            if name.hasPrefix(".") || Self.identifier(in: name).map(kept.contains) == false {
                unlinkat(folder, name, 0)
            }
        }
    }

    /// `Shop.sqlite` and `Shop.db` share a folder by Core Data's rule: neither knows which files are the other's.
    private var hasSibling: Bool {
        let stem = storeURL.deletingPathExtension().lastPathComponent
        let own = storeURL.lastPathComponent
        // Reason for try?: who cannot list the folder cannot know, and sweeps nothing.
        let names = try? FileManager.default.contentsOfDirectory(atPath: storeURL.deletingLastPathComponent().path)
        return names?.contains { name in
            name != own && URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent == stem
                && !["-wal", "-shm", "-journal"].contains { name == own + $0 }
        } ?? true
    }

    /// The UUID in the name of a value or of a value being written; nil for other names, which are not ours.
    private static func identifier(in name: String) -> UUID? {
        guard name.hasPrefix(".") else { return UUID(uuidString: name) }
        guard name.hasSuffix(".new") else { return nil }
        return UUID(uuidString: String(name.dropFirst().dropLast(4)))
    }

    private func names(in folder: Int32) throws -> [String] {
        // A description of its own: reading a folder moves a position.
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            throw StoreError.externalData(errno, "its folder", storeURL)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                        String(cString: $0)
                    }
                })
        }
        return names
    }
}
