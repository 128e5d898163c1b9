import ArgumentParser
import DataMonkCommands
import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

/// Standard streams that nothing can be written to.
@Suite struct `Standard streams that fail` {
    private let store: InspectedStore

    init() throws {
        store = try InspectedStore()
        let model = try ManagedObjectModel { EntityDescription("Person") { AttributeDescription("id", .integer64) } }
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.add(
            SQLiteStore.open(store.url, configuration: nil, directory: coordinator.directory, index: 0))
        try coordinator.close()
    }

    @Test func `as the output end each command with the status of a file that cannot be written`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [path = store.url.path as String] in
            try obstruct(STDOUT_FILENO)
            let inspect = try InspectCommand.parse([path])
            let code = #expect(throws: ExitCode.self) { try inspect.run() }
            #expect(code == ExitCode(73))
            let export = try await ExportCommand.parse([path, "-", "--entity", "Person", "--format", "csv"]).outcome()
            #expect(export.status == .cannotWrite, "\(export)")
            #expect(export.error?.hasPrefix("The standard output could not be written: ") == true, "\(export)")
        }
        let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(error.contains("datamonk: The standard output could not be written: "), "\(error)")
    }

    @Test func `for errors change no status`() async throws {
        await #expect(processExitsWith: .success) { [path = store.url.path as String] in
            try obstruct(STDERR_FILENO)
            let inspect = try InspectCommand.parse([path + ".none"])
            let code = #expect(throws: ExitCode.self) { try inspect.run() }
            #expect(code == ExitCode(66))
        }
    }
}

/// Puts a file that is open for reading only in the place of a stream.
private func obstruct(_ stream: Int32) throws {
    let file = open("/dev/null", O_RDONLY)
    try #require(file >= 0 && dup2(file, stream) >= 0)
}
