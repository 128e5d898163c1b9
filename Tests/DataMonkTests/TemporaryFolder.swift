import Foundation

/// A folder that goes with its last reference.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("datamonk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    convenience init(copying other: URL) throws {
        try self.init()
        try add(copyOf: other)
    }

    /// Copies what lies in another folder.
    func add(copyOf other: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: other.path) {
            try FileManager.default.copyItem(at: other.appendingPathComponent(name), to: file(name))
        }
    }

    /// Removes what lies in it.
    func empty() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
            try FileManager.default.removeItem(at: file(name))
        }
    }

    deinit {
        // Reason for try?: what cannot be removed is the system's to clean up.
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
