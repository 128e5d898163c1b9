import Foundation

/// **Value.** Records the changes of a folder's files, and knows which file has which name.
struct DiskRecorder: Sendable {
    private(set) var recording = DiskRecording()
    private let root: URL
    private var numbers: [String: Int] = [:]
    private var count = 0

    /// Begins with what is in a folder.
    init(_ root: URL) throws {
        self.root = root
        let manager = FileManager.default
        for path in try manager.subpathsOfDirectory(atPath: root.path) where !DiskRecording.isIndex(path) {
            var isFolder: ObjCBool = false
            let url = root.appendingPathComponent(path)
            guard manager.fileExists(atPath: url.path, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                recording.begin[path] = .folder
            } else {
                recording.begin[path] = .file(newNumber(path))
                recording.contents.append(try Data(contentsOf: url))
            }
        }
    }

    mutating func add(_ change: DiskChange) {
        switch change {
        case .rename(let old, let new): numbers[new] = numbers.removeValue(forKey: old)
        case .link(let old, let new): numbers[new] = numbers[old]
        case .remove(let path): numbers[path] = nil
        default: break
        }
        recording.changes.append(change)
    }

    /// Records that a file was opened.
    ///
    /// - Parameter isNew: Whether it has been created by that. Another one by its name was removed by other means.
    mutating func open(_ path: String, isNew: Bool) {
        if isNew { numbers[path] = nil }
        _ = number(path)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, to path: String, at offset: Int) {
        add(.write(file: number(path), offset: offset, bytes: Data(bytes)))
    }

    mutating func truncate(_ path: String, to size: Int) { add(.truncate(file: number(path), size: size)) }
    mutating func sync(_ path: String) { add(.sync(file: number(path))) }
    mutating func failSync(_ path: String) { add(.failedSync(file: number(path))) }

    private mutating func number(_ path: String) -> Int {
        if let known = numbers[path] { return known }
        let number = newNumber(path)
        recording.contents.append(Data())
        recording.changes.append(.create(path, file: number))
        if DiskRecording.isIndex(path) { return number }
        // The contents of a file that others have put there count as being on disk.
        if let bytes = FileManager.default.contents(atPath: root.appending(path: path).path), !bytes.isEmpty {
            recording.changes += [.write(file: number, offset: 0, bytes: bytes), .sync(file: number)]
        }
        return number
    }

    private mutating func newNumber(_ path: String) -> Int {
        defer { count += 1 }
        numbers[path] = count
        return count
    }
}
