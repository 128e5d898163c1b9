import Foundation

/// **Value.** Reads a model that Xcode compiled for an application.
///
/// ```
/// Shop.momd/
///   VersionInfo.plist    NSManagedObjectModel_CurrentVersionName: Shop 2
///                        NSManagedObjectModel_VersionHashes: { Shop: { Order: 32 bytes, … }, Shop 2: … }
///   Shop.mom             a version, in the form in which stores hold their model too
///   Shop 2.mom
///   Shop 2.omo           the current version in another form
/// ```
enum CompiledModel {
    private static let infoName = "VersionInfo.plist"
    private static let maximumInfoSize = 4 << 20

    /// Reads, validates and resolves a `.mom` file.
    ///
    /// - Throws: ``ModelError`` for a damaged file, or for one with parts that this library does not know and that change
    ///   the version hashes recorded beside it.
    static func model(
        at file: URL, named name: String, classes: [ManagedObject.Type]
    ) throws(ModelError) -> ManagedObjectModel {
        let data = try ModelBundle.read(file, limit: ArchivedModel.maximumByteCount)
        guard data.count <= ArchivedModel.maximumByteCount else {
            throw ModelError(
                code: .fileTooLarge,
                message:
                    """
                    \(file.path) is larger than \(ArchivedModel.maximumByteCount) bytes, so it cannot be a compiled \
                    model.
                    """)
        }
        let archived: ArchivedModel
        do {
            archived = try ModelArchiveReader.read(data)
        } catch {
            throw ModelError(
                code: .invalidFile,
                message: "\(file.path) is damaged, or is not a compiled model. Build the model again with Xcode.",
                underlyingError: error)
        }
        let expected = try info(in: file.deletingLastPathComponent())?.hashes[name]
        let (model, omissions) = try archived.model(classes: classes, storedHashes: expected ?? [:])
        guard expected == nil || expected == model.entityVersionHashesByName else {
            let parts =
                omissions.isEmpty
                ? "" : " These parts could not be read: \(omissions.map(\.description).joined(separator: "; "))."
            throw ModelError(
                code: .invalidFile,
                message: """
                    \(file.path) does not produce the version hashes that \(infoName) lists for it.\(parts) Use the \
                    model's source, an .xcdatamodeld.
                    """)
        }
        return model
    }

    /// Returns the name of the version for new stores.
    static func currentVersion(in folder: URL, of names: [String]) throws(ModelError) -> String {
        if let name = try info(in: folder)?.currentVersionName {
            if names.contains(name) { return name }
            throw ModelError(
                code: .invalidFile,
                message:
                    """
                    \(infoName) in \(folder.path) names a version that does not exist. Build the model again with \
                    Xcode.
                    """)
        }
        if let name = names.first, names.count == 1 { return name }
        throw ModelError(
            code: .invalidFile,
            message: "\(folder.path) has several versions, but no \(infoName). Build the model again with Xcode.")
    }

    private static func info(
        in folder: URL
    ) throws(ModelError) -> (currentVersionName: String?, hashes: [String: [String: Data]])? {
        let file = folder.appending(path: infoName)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let data = try ModelBundle.read(file, limit: maximumInfoSize)
        do {
            return facts(in: try PropertyListValue(fileContents: data))
        } catch {
            throw ModelError(
                code: .invalidFile, message: "\(file.path) is not a property list. Build the model again with Xcode.",
                underlyingError: error)
        }
    }

    private static func facts(
        in list: PropertyListValue
    ) -> (currentVersionName: String?, hashes: [String: [String: Data]]) {
        let versions = list["NSManagedObjectModel_VersionHashes"]?.dictionaryValue ?? [:]
        // A value that is no hash counts as missing: a version with a damaged list does not match its model.
        let hashes = versions.mapValues { version in (version.dictionaryValue ?? [:]).compactMapValues(\.dataValue) }
        return (list["NSManagedObjectModel_CurrentVersionName"]?.stringValue, hashes)
    }
}
