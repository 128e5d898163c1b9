package import Foundation

/// **Value.** The files that tests read and that belong to others: stores and models of Core Data's, and known answers of
/// other implementations.
///
/// They are no part of the project. `manifest.tsv` lists them, `fetch` gets them. No other code knows where they are. A test
/// that reads some says so by a trait, and is skipped where they are missing:
///
///     @Test(.requiresFixtures("models")) func `templates of an Xcode model are requests`() throws {
///         let model = try Fixtures.url("models/mogenerator/test.xcdatamodel")
///
/// Lists come from the manifest, never from the folder: they are the same on every machine.
package enum Fixtures {
    /// The folder that they are in: `DATAMONK_FIXTURES`, or else the folder `shared` beside the checkout.
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["DATAMONK_FIXTURES"], !path.isEmpty {
            return URL(filePath: path)
        }
        return URL(filePath: #filePath).appending(path: "../../../../shared").standardized
    }()

    /// A Boolean value indicating whether a test fails where its fixtures are missing, instead of being skipped.
    static let areRequired: Bool = {
        let value = ProcessInfo.processInfo.environment["DATAMONK_FIXTURES_REQUIRED"] ?? ""
        return !value.isEmpty && value != "0"
    }()

    /// Returns the place of a fixture, or of a folder with fixtures.
    ///
    /// - Throws: `FixtureError`, if the manifest does not list it.
    package static func url(_ path: String) throws -> URL {
        _ = try FixtureManifest.house.get().fixtures(at: path)
        return folder.appending(path: path)
    }

    /// Returns those of some fixtures, or of the fixtures in some folders, that are missing or have another size.
    static func missing(_ paths: [String]) throws -> [Fixture] {
        let manifest = try FixtureManifest.house.get()
        return try paths.flatMap { try manifest.fixtures(at: $0) }.filter { fixture in
            let path = folder.appending(path: fixture.path).path
            // Reason for try?: what cannot be looked at is not there.
            return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int != fixture.size
        }
    }

    /// Every fixture below a folder whose path has the given suffix, as paths relative to the folder.
    ///
    /// Empty if the manifest is malformed: no test can name a folder as required then, and each fails with the reason.
    package static func files(in folder: String, endingIn suffix: String) -> [String] {
        guard case .success(let manifest) = FixtureManifest.house else { return [] }
        return manifest.fixtures.map(\.path).filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(suffix) }
            .map { String($0.dropFirst(folder.count + 1)) }
    }
}

extension Fixtures {
    /// The folders with stores written by Apple's framework.
    private static let storeFolders = ["stores", "more-stores"]

    /// The stores written by Apple's framework, as sorted paths relative to their folder.
    package static let stores = storeFolders.flatMap { files(in: $0, endingIn: ".sqlite") }.sorted()

    /// Returns the place of a file by its path relative to one of the folders with stores.
    package static func store(_ path: String) throws -> URL {
        let folder = storeFolders.first { files(in: $0, endingIn: path).contains(path) }
        return try url("\(folder ?? storeFolders[0])/\(path)")
    }

    /// Returns the model file beside a store, or `nil` if only the store itself contains its model.
    package static func modelFile(besideStore path: String) -> URL? {
        let name = path.hasSuffix(".sqlite") ? String(path.dropLast(".sqlite".count)) : path
        // Reason for try?: that the manifest lists none is the answer.
        return try? store(name + ".xcdatamodel/contents").deletingLastPathComponent()
    }
}
