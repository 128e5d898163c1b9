import DataMonkCore
import DataMonkSQLite
import Foundation

/// **Shared.** The calls for files that SQLite does not open, with the faults and the recorder of the disk they lie on.
final class FaultyFileCalls: FileCalls {
    private struct OpenFile: Sendable {
        /// Weak, because a descriptor that others close, as `closedir` does, stays in the list.
        weak var disk: FaultyDisk?
        let path: String
        let isFolder: Bool
        /// The place of the next byte that is written.
        var position = 0

        var place: DiskPlace? { disk.map { DiskPlace(disk: $0, path: path) } }
    }

    private let system: any FileCalls
    private let files = Locked<[Int32: OpenFile]>([:])

    init(_ system: any FileCalls) { self.system = system }

    func open(_ name: String, in folder: Int32, _ flags: Int32, mode: mode_t) -> Int32 {
        guard let place = place(of: name, in: folder) else {
            let file = system.open(name, in: folder, flags, mode: mode)
            files.withLock { $0[file] = nil }
            return file
        }
        var status = stat()
        let creates = flags & O_CREAT != 0 && system.examine(name, in: folder, &status) != 0
        if let fault = place.begin(creates ? .create : .open) { return Self.fail(fault) }
        let file = system.open(name, in: folder, flags, mode: mode)
        guard file >= 0 else { return file }
        let isFolder = flags & O_DIRECTORY != 0
        if !isFolder { place.disk.record { $0.open(place.path, isNew: creates) } }
        // Appended bytes begin at the end.
        let appends = flags & O_APPEND != 0 && system.examine(file, &status) == 0
        files.withLock {
            $0[file] = OpenFile(
                disk: place.disk, path: place.path, isFolder: isFolder, position: appends ? Int(status.st_size) : 0)
        }
        return file
    }

    func close(_ file: Int32) {
        files.withLock { $0[file] = nil }
        system.close(file)
    }

    func read(_ file: Int32, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        switch fault(.read, of: file) {
        case nil: system.read(file, into: bytes)
        case .short: system.read(file, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<Self.half(bytes.count)]))
        case let fault?: Int(Self.fail(fault))
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int {
        var bytes = bytes
        let fault = fault(.write, of: file)
        switch fault {
        case nil: break
        case .short, .killHalfway: bytes = UnsafeRawBufferPointer(rebasing: bytes[..<Self.half(bytes.count)])
        case let fault?: return Int(Self.fail(fault))
        }
        let count = system.write(bytes, to: file)
        if fault == .killHalfway { FaultyDisk.killProcess() }
        guard count > 0 else { return count }
        let opened = files.withLock { files -> OpenFile? in
            defer { files[file]?.position += count }
            return files[file]
        }
        if let opened {
            let written = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            opened.disk?.record { $0.write(written, to: opened.path, at: opened.position) }
        }
        return count
    }

    func synchronize(_ file: Int32) -> Int32 {
        guard let opened = files.withLock({ $0[file] }), let place = opened.place else {
            return system.synchronize(file)
        }
        if let fault = place.begin(.sync) {
            if !opened.isFolder { place.disk.record { $0.failSync(place.path) } }
            return Self.fail(fault)
        }
        place.disk.record { recorder in
            if opened.isFolder {
                recorder.add(.syncFolder(place.path))
            } else {
                recorder.sync(place.path)
            }
        }
        return place.disk.syncsRealDisk ? system.synchronize(file) : 0
    }

    func lock(_ file: Int32, _ operation: Int32) -> Int32 {
        if operation & LOCK_UN == 0, let fault = fault(.lock, of: file) { return Self.fail(fault) }
        return system.lock(file, operation)
    }

    func examine(_ file: Int32, _ status: inout stat) -> Int32 {
        if let fault = fault(.examine, of: file) { return Self.fail(fault) }
        return system.examine(file, &status)
    }

    func examine(_ name: String, in folder: Int32, _ status: inout stat) -> Int32 {
        if let fault = place(of: name, in: folder)?.begin(.examine) { return Self.fail(fault) }
        return system.examine(name, in: folder, &status)
    }

    func makeFolder(_ name: String, in folder: Int32, mode: mode_t) -> Int32 {
        change(name, in: folder, by: .makeFolder, { .makeFolder($0) }) {
            system.makeFolder(name, in: folder, mode: mode)
        }
    }

    func removeFolder(_ name: String, in folder: Int32) -> Int32 {
        change(name, in: folder, by: .remove, { .remove($0) }) { system.removeFolder(name, in: folder) }
    }

    func rename(_ name: String, to newName: String, in folder: Int32) -> Int32 {
        let target = place(of: newName, in: folder)?.path ?? ""
        return change(name, in: folder, by: .rename, { .rename($0, to: target) }) {
            system.rename(name, to: newName, in: folder)
        }
    }

    func link(_ name: String, to newName: String, in folder: Int32) -> Int32 {
        let target = place(of: newName, in: folder)?.path ?? ""
        return change(name, in: folder, by: .rename, { .link($0, to: target) }) {
            system.link(name, to: newName, in: folder)
        }
    }

    func renameExclusively(_ name: String, to newName: String, in folder: Int32) -> Int32 {
        let target = place(of: newName, in: folder)?.path ?? ""
        return change(name, in: folder, by: .rename, { .rename($0, to: target) }) {
            system.renameExclusively(name, to: newName, in: folder)
        }
    }

    func remove(_ name: String, in folder: Int32) -> Int32 {
        change(name, in: folder, by: .remove, { .remove($0) }) { system.remove(name, in: folder) }
    }

    func watch(_ path: String, by reports: Int32) -> Int32 {
        if let fault = place(of: path, in: AT_FDCWD)?.begin(.watch) { return Self.fail(fault) }
        return system.watch(path, by: reports)
    }

    // MARK: What all have in common

    private func change(
        _ name: String, in folder: Int32, by operation: FileOperation, _ change: (String) -> DiskChange,
        _ body: () -> Int32
    ) -> Int32 {
        guard let place = place(of: name, in: folder) else { return body() }
        if let fault = place.begin(operation) { return Self.fail(fault) }
        let result = body()
        // errno survives: nothing is called after a failure.
        if result == 0 { place.disk.record { $0.add(change(place.path)) } }
        return result
    }

    private func fault(_ operation: FileOperation, of file: Int32) -> FileFault? {
        files.withLock { $0[file] }?.place?.begin(operation)
    }

    private func place(of name: String, in folder: Int32) -> DiskPlace? {
        if folder == AT_FDCWD { return DiskRegistry.place(of: name) }
        guard let parent = files.withLock({ $0[folder] })?.place else { return nil }
        if name == "." { return parent }
        return DiskPlace(disk: parent.disk, path: parent.path.isEmpty ? name : "\(parent.path)/\(name)")
    }

    private static func half(_ count: Int) -> Int { max(count / 2, min(count, 1)) }

    private static func fail(_ fault: FileFault) -> Int32 {
        errno = fault.systemError
        return -1
    }
}
