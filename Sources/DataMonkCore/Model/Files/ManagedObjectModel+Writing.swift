public import Foundation

extension ManagedObjectModel {
    /// Writes the model as a file for Xcode, which reads as an equal model with equal version hashes.
    ///
    /// ```swift
    /// let model = try ManagedObjectModel(classes: [Person.self])
    /// let omissions = try model.writeModelFile(to: URL(filePath: "People.xcdatamodeld"))
    /// ```
    /// The file appears in one step, when it is complete. What the form has no place for is left out and returned:
    /// conditions on values, text indexes, default values that are bytes.
    ///
    /// - Parameter url: The folder to create: an `.xcdatamodeld` with one version, or an `.xcdatamodel`. It must not exist.
    /// - Returns: The parts that the file does not contain.
    /// - Throws: `ModelError` with the code `unwritableFile` if there is something at the URL, or the folder cannot be
    ///   written; with `invalidFile` if the model would not be the same when it is read: one from a store, of which parts were
    ///   not understood, or with names that managed objects use.
    public func writeModelFile(to url: URL) throws(ModelError) -> [ModelFileOmission] {
        guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else {
            throw .unwritable(url, "is not the name of a model. End it with .xcdatamodeld or .xcdatamodel")
        }
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw .unwritable(url, "exists. Remove it, or choose another name")
        }
        let (text, omissions) = try modelFileText()
        let folder = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
        do {
            try Self.write(text, of: url, to: folder)
            try FileManager.default.moveItem(at: folder, to: url)
        } catch {
            // Reason for try?: the first error is the one to report.
            try? FileManager.default.removeItem(at: folder)
            throw .unwritable(url, "cannot be written. Check the path, and the permissions of its folder", error)
        }
        return omissions
    }

    /// Returns the text of a `contents` file, which is known to read as an equal model, and the parts that it leaves out.
    package func modelFileText() throws(ModelError) -> (text: String, omissions: [ModelFileOmission]) {
        let (text, omissions) = ModelFileWriter.text(of: self)
        let copy = try ModelBundle.model(fromContents: Data(text.utf8), fileName: "contents")
        let (own, others) = (entityVersionHashesByName, copy.entityVersionHashesByName)
        let different = own.keys.filter { own[$0] != others[$0] }.sorted(by: String.precedesInBytes)
        guard different.isEmpty else {
            throw ModelError(
                code: .invalidFile,
                message: """
                    A model file cannot express \(different.joined(separator: ", ")), so stores of the model would not \
                    open with it. Keep the model in the form that it has.
                    """)
        }
        return (text, omissions)
    }

    private static func write(_ text: String, of url: URL, to folder: URL) throws {
        let name = url.deletingPathExtension().lastPathComponent
        let isBundle = url.pathExtension == "xcdatamodeld"
        let version = isBundle ? folder.appending(path: "\(name).xcdatamodel") : folder
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: version.appending(path: "contents"))
        guard isBundle else { return }
        let current = try PropertyListSerialization.data(
            fromPropertyList: ["_XCCurrentVersionName": "\(name).xcdatamodel"], format: .xml, options: 0)
        try current.write(to: folder.appending(path: ".xccurrentversion"))
    }
}

extension ModelError {
    fileprivate static func unwritable(_ url: URL, _ reason: String, _ error: (any Error)? = nil) -> ModelError {
        ModelError(code: .unwritableFile, message: "\(url.path) \(reason).", underlyingError: error)
    }
}
