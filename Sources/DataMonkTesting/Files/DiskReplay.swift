import Foundation

/// **Value.** A disk at some point of a recording: what is durable, and what a loss of power may take.
struct DiskReplay {
    private struct File {
        var durable: Data
        /// The writes and truncations since the last sync.
        var pending: [DiskChange] = []
    }

    private static let sectorSize = 512
    private var files: [File]
    private var durable: [String: DiskRecording.Entry]
    /// The changes of folders that were not synced, in order.
    private var pending: [DiskChange] = []

    init(_ recording: DiskRecording) {
        files = recording.contents.map { File(durable: $0) }
        durable = recording.begin
    }

    /// - Parameter contents: The writes that reach the disk before a sync that fails.
    mutating func take(
        _ change: DiskChange, _ contents: DiskImage.Contents, _ random: inout some RandomNumberGenerator
    ) {
        switch change {
        case .write(let file, _, _), .truncate(let file, _): files[file].pending.append(change)
        case .sync(let file):
            for change in files[file].pending { Self.apply(change, to: &files[file].durable) }
            files[file].pending = []
        case .failedSync(let file):
            // Later syncs make the file's length durable, not its contents.
            var all = files[file].durable
            for change in files[file].pending { Self.apply(change, to: &all) }
            files[file].durable = bytes(of: files[file], contents, &random)
            files[file].pending = [.truncate(file: file, size: all.count)]
        case .create, .makeFolder, .rename, .link, .remove: pending.append(change)
        case .syncFolder(let path):
            for change in pending where Self.folder(of: change) == path { Self.apply(change, to: &durable) }
            pending.removeAll { Self.folder(of: $0) == path }
        case .mark: break
        }
    }

    func image(
        _ contents: DiskImage.Contents, _ entries: DiskImage.Entries, _ random: inout some RandomNumberGenerator
    ) -> DiskImage {
        var names = durable
        let count =
            switch entries {
            case .strict: 0
            case .prefix: Int.random(in: 0...pending.count, using: &random)
            case .all: pending.count
            }
        for change in pending.prefix(count) { Self.apply(change, to: &names) }
        var image = DiskImage()
        for path in names.keys.sorted() where Self.isReachable(path, names) {
            switch names[path] {
            case .file(let file): image.files[path] = bytes(of: files[file], contents, &random)
            case .folder: image.folders.insert(path)
            case nil: break
            }
        }
        return image
    }

    // MARK: Contents

    private func bytes(
        of file: File, _ contents: DiskImage.Contents, _ random: inout some RandomNumberGenerator
    ) -> Data {
        var bytes = file.durable
        switch contents {
        case .dropped: break
        case .complete: for change in file.pending { Self.apply(change, to: &bytes) }
        case .reordered:
            for change in file.pending where Bool.random(using: &random) { Self.apply(change, to: &bytes) }
        case .torn: Self.applySectors(file.pending, to: &bytes, &random)
        }
        return bytes
    }

    /// Gives each sector the state after some of the changes. A sector never goes back to an older state.
    private static func applySectors(
        _ changes: [DiskChange], to bytes: inout Data, _ random: inout some RandomNumberGenerator
    ) {
        var cuts: [Int: Int] = [:]
        func reaches(_ sector: Int, _ index: Int, _ random: inout some RandomNumberGenerator) -> Bool {
            let cut = cuts[sector] ?? Int.random(in: 0...changes.count, using: &random)
            cuts[sector] = cut
            return index < cut
        }
        for (index, change) in changes.enumerated() {
            guard case .write(let file, let offset, let written) = change else {
                // Of the file's length, which belongs to no sector.
                if reaches(-1, index, &random) { apply(change, to: &bytes) }
                continue
            }
            var start = 0
            while start < written.count {
                let sector = (offset + start) / sectorSize
                let end = min(written.count, (sector + 1) * sectorSize - offset)
                if reaches(sector, index, &random) {
                    let part = written.dropFirst(start).prefix(end - start)
                    apply(.write(file: file, offset: offset + start, bytes: part), to: &bytes)
                }
                start = end
            }
        }
    }

    private static func apply(_ change: DiskChange, to bytes: inout Data) {
        switch change {
        case .write(_, let offset, let written):
            resize(&bytes, to: max(bytes.count, offset + written.count))
            bytes.replaceSubrange(offset..<(offset + written.count), with: written)
        case .truncate(_, let size): resize(&bytes, to: size)
        default: break
        }
    }

    private static func resize(_ bytes: inout Data, to size: Int) {
        if bytes.count > size { bytes.removeLast(bytes.count - size) }
        if bytes.count < size { bytes.append(Data(count: size - bytes.count)) }
    }

    // MARK: Folders

    private static func apply(_ change: DiskChange, to entries: inout [String: DiskRecording.Entry]) {
        switch change {
        case .create(let path, let file): entries[path] = .file(file)
        case .makeFolder(let path): entries[path] = .folder
        case .rename(let old, let new): entries[new] = entries.removeValue(forKey: old)
        case .link(let old, let new): entries[new] = entries[old]
        case .remove(let path): entries[path] = nil
        default: break
        }
    }

    /// The folder whose entries a change concerns.
    private static func folder(of change: DiskChange) -> String? {
        switch change {
        case .create(let path, _), .makeFolder(let path), .rename(let path, _), .link(_, to: let path),
            .remove(let path):
            path.split(separator: "/").dropLast().joined(separator: "/")
        default: nil
        }
    }

    /// Returns `true` if all folders above a path exist.
    private static func isReachable(_ path: String, _ entries: [String: DiskRecording.Entry]) -> Bool {
        var parts = path.split(separator: "/").dropLast()
        while !parts.isEmpty {
            guard entries[parts.joined(separator: "/")] == .folder else { return false }
            parts = parts.dropLast()
        }
        return true
    }
}
