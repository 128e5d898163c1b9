import DataMonkSQLite
public import Foundation

/// Calls a block with the place of a store in a folder of its own, which is removed at the end.
///
/// ```swift
/// try await withTemporaryStore { url in
///     let stack = try Stack(Person.self)
///     try stack.addDatabaseStore(fileURL: url)
///     …
/// }
/// ```
/// With a fixture, its copy lies there, together with its log and the files of its external data. The fixture itself is only
/// read, so it may lie in a bundle of resources, and stay a store of an earlier version while its copy is migrated:
///
/// ```swift
/// try await withTemporaryStore(copying: fixture) { url in
///     let stack = try Stack(Person.self)
///     try stack.addDatabaseStore(fileURL: url)                 // migrates the copy
///     #expect(try MainContext(stack: stack).count(Person.self) == 3)
/// }
/// ```
/// A stack that still has the store when the block ends should be closed there: a commit afterwards would write into a file
/// that has gone.
///
/// - Parameters:
///   - fixture: The store to copy; `nil` for a place without a file.
///   - body: The block, which gets the place. Stores are created and opened there as anywhere.
/// - Returns: The result of the block.
/// - Throws: The error of the block; `StoreError` with the code `fileNotFound` if there is no such fixture, with the code
///   `noReadPermission` if it cannot be copied, `openFailed` if it is a folder, and `locked` if it does not stop changing.
public func withTemporaryStore<Result>(
    copying fixture: URL? = nil, perform body: (URL) async throws -> Result
) async throws -> Result {
    if let fixture {
        let copy = try PrivateCopy(of: fixture, linksFiles: false)
        defer { withExtendedLifetime(copy) {} }
        return try await body(copy.url)
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "datamonk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Reason for try?: what cannot be removed is the system's to clean up.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: "Test.sqlite"))
}
