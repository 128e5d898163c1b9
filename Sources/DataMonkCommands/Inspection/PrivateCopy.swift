import DataMonkCore
package import Foundation

/// **Shared.** A copy of a store that nobody else knows, for looking at a store without leaving a trace.
///
/// Opening a store in place makes or removes files beside it, and may move its log into it. The copy takes the bytes of the
/// database and of its log as they are; they belong together when neither changed from before the first byte to after
/// the last one.
///
/// The copy goes with its last reference.
package final class PrivateCopy: Sendable {
    /// The copied database, under the name of the original.
    package let url: URL
    private let folder: URL

    /// What is copied: a log and a journal hold what is not in the database yet.
    private static let suffixes = ["", "-wal", "-journal"]
    /// A store at rest is copied at the first attempt.
    private static let maximumAttempts = 10

    /// Copies a store.
    ///
    /// - Throws: ``StoreError``: there is no such file, it cannot be read, or it does not stop changing (`locked`).
    package init(of store: URL) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: store.path, isDirectory: &isDirectory) else {
            throw StoreError(.fileNotFound, "There is no file \(store.path). Check the path.", storeURL: store)
        }
        if isDirectory.boolValue {
            throw StoreError(.openFailed, "\(store.path) is a folder. Name the store's file.", storeURL: store)
        }
        folder = FileManager.default.temporaryDirectory.appending(path: "datamonk-\(UUID().uuidString)")
        url = folder.appending(path: store.lastPathComponent)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for _ in 0..<Self.maximumAttempts {
                let before = Self.state(of: store)
                try copyFiles(of: store)
                if Self.state(of: store) == before { return }
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)  // Nothing more can be done, and the error says why.
            throw StoreError(
                .noReadPermission,
                "\(store.path) cannot be copied to look at it. Check its permissions, and the space for temporary files.",
                storeURL: store, underlyingError: error)
        }
        throw StoreError(
            .locked, "\(store.path) changes all the time. Try again when its program has less to write.",
            storeURL: store)
    }

    deinit {
        // Reason for try?: what cannot be removed is the system's to clean up.
        try? FileManager.default.removeItem(at: folder)
    }

    private func copyFiles(of store: URL) throws {
        for suffix in Self.suffixes {
            let copy = url.path + suffix
            if FileManager.default.fileExists(atPath: copy) { try FileManager.default.removeItem(atPath: copy) }
            guard FileManager.default.fileExists(atPath: store.path + suffix) else { continue }
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy)
            // A store may be read-only, its copy is opened for writing.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        }
        try linkLargeValues(of: store)
    }

    /// Gives the copy the files of large values, which never change: under other names in its own folder, since a store
    /// follows no links to folders. Where the disk is another one, they are copied.
    private func linkLargeValues(of store: URL) throws {
        let (originals, links) = (Self.dataFolder(of: store), Self.dataFolder(of: url))
        guard FileManager.default.fileExists(atPath: originals.path) else { return }
        try FileManager.default.createDirectory(
            at: links, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in try FileManager.default.contentsOfDirectory(atPath: originals.path) {
            let (original, link) = (originals.appending(path: name), links.appending(path: name))
            // Of anything but a file a store reads nothing, and copying it might wait for ever.
            let type = try FileManager.default.attributesOfItem(atPath: original.path)[.type] as? FileAttributeType
            if type != .typeRegular || FileManager.default.fileExists(atPath: link.path) { continue }
            do {
                try FileManager.default.linkItem(at: original, to: link)
            } catch {
                try FileManager.default.copyItem(at: original, to: link)
            }
        }
    }

    private static func dataFolder(of store: URL) -> URL {
        let name = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent().appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA")
    }

    /// Sizes and times of the files, which differ after a change.
    private static func state(of store: URL) -> [String] {
        suffixes.map { suffix in
            // Reason for try?: a file that is not there has no state, and one that cannot be read fails when it is copied.
            let attributes = try? FileManager.default.attributesOfItem(atPath: store.path + suffix)
            return
                "\(attributes?[.size] ?? "") \(attributes?[.modificationDate] ?? "") \(attributes?[.systemFileNumber] ?? "")"
        }
    }
}
