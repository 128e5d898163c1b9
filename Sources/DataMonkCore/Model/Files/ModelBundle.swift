public import Foundation

/// **Value.** The versions of a model in a folder: an `.xcdatamodeld` that Xcode edits, the `.momd` that it compiles, or a
/// single version in an `.xcdatamodel` or a `.mom`.
///
/// ```swift
/// let bundle = try ModelBundle(contentsOf: url)
/// for name in bundle.versionNames {
///     print(name, try bundle.model(versionName: name).versionChecksum)
/// }
/// ```
public struct ModelBundle: Sendable, Hashable {
    /// The folder.
    public let url: URL
    /// The names of the versions in natural order: `Model 2` before `Model 10`.
    public let versionNames: [String]
    /// The name of the version for new stores.
    public let currentVersionName: String

    private let versionURLs: [String: URL]

    /// Finds the versions in a folder, without reading them.
    ///
    /// - Parameter url: An `.xcdatamodeld`, `.xcdatamodel` or `.momd` folder, a `.mom` file, or the `contents` file of a
    ///   version. Any `.omo` files beside the versions of a `.momd` are ignored, since they contain the same models.
    /// - Throws: `ModelError` if there is no model at the URL, or none that can be read.
    public init(contentsOf url: URL) throws(ModelError) {
        self.url = url
        let folder = url.lastPathComponent == "contents" ? url.deletingLastPathComponent() : url
        let path = folder.path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw ModelError(code: .unreadableFile, message: "There is no model at \(path). Check the path.")
        }
        let isSingle =
            isDirectory.boolValue
            ? FileManager.default.fileExists(atPath: folder.appending(path: "contents").path)
            : folder.pathExtension == "mom"
        if isSingle {
            let name = folder.deletingPathExtension().lastPathComponent
            versionURLs = [name: folder]
            versionNames = [name]
            currentVersionName = name
            return
        }
        guard isDirectory.boolValue, ["xcdatamodeld", "momd"].contains(folder.pathExtension) else {
            throw Self.notAModel(folder)
        }
        let isCompiled = folder.pathExtension == "momd"
        versionURLs = try Self.versions(in: folder, endingIn: isCompiled ? ".mom" : ".xcdatamodel")
        versionNames = versionURLs.keys.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
        currentVersionName =
            isCompiled
            ? try CompiledModel.currentVersion(in: folder, of: versionNames)
            : try Self.currentVersion(in: folder, of: versionNames)
    }

    /// Reads, validates and resolves one version.
    ///
    /// - Parameters:
    ///   - versionName: The version's name, or `nil` for the current one.
    ///   - classes: The managed object classes that the file's class names refer to.
    /// - Throws: `ModelError` with line and column for a malformed file, or with every problem of an invalid model.
    /// - Complexity: Linear in the size of the file, which is limited to 16 megabytes.
    public func model(
        versionName: String? = nil, classes: [ManagedObject.Type] = []
    ) throws(ModelError) -> ManagedObjectModel {
        let name = versionName ?? currentVersionName
        guard let folder = versionURLs[name] else {
            throw ModelError(
                code: .unreadableFile,
                message:
                    """
                    \(url.lastPathComponent) has no version \(name). Its versions are \
                    \(versionNames.joined(separator: ", ")).
                    """)
        }
        if folder.pathExtension == "mom" { return try CompiledModel.model(at: folder, named: name, classes: classes) }
        let fileName = "\(folder.lastPathComponent)/contents"
        let data = try Self.read(folder.appending(path: "contents"), limit: XMLTreeReader.Form.model.maximumFileSize)
        return try Self.model(fromContents: data, fileName: fileName, classes: classes)
    }

    /// The `contents` file of a version; `nil` for one that is compiled or does not exist.
    package func contentsURL(versionName: String? = nil) -> URL? {
        let folder = versionURLs[versionName ?? currentVersionName]
        guard let folder, folder.pathExtension != "mom" else { return nil }
        return folder.appending(path: "contents")
    }

    /// Reads, validates and resolves the bytes of a `contents` file.
    package static func model(
        fromContents data: Data, fileName: String, classes: [ManagedObject.Type] = []
    ) throws(ModelError) -> ManagedObjectModel {
        let root = try XMLTreeReader.read(data, fileName: fileName)
        var contents = try ModelFileReader.read(root, fileName: fileName)
        contents.assignClasses(from: classes)
        return try ManagedObjectModel(contents)
    }
}

extension ModelBundle {
    private static func versions(in folder: URL, endingIn suffix: String) throws(ModelError) -> [String: URL] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw ModelError(
                code: .unreadableFile, message: "The folder \(folder.path) cannot be read. Check its permissions.",
                underlyingError: error)
        }
        let versions = names.filter { $0.hasSuffix(suffix) }.map { name in
            (String(name.dropLast(suffix.count)), folder.appending(path: name))
        }
        guard !versions.isEmpty else { throw notAModel(folder) }
        let urls = Dictionary(versions, uniquingKeysWith: { first, _ in first })
        // File systems compare bytes, and texts are equal however their accents are written.
        guard urls.count == versions.count else {
            throw ModelError(
                code: .invalidFile,
                message: """
                    \(folder.path) has two versions whose names differ only in their Unicode representation. Rename \
                    or remove one.
                    """)
        }
        return urls
    }

    /// Returns the version that `.xccurrentversion` names. The file is absent if there is only one version.
    private static func currentVersion(in folder: URL, of names: [String]) throws(ModelError) -> String {
        let file = folder.appending(path: ".xccurrentversion")
        guard FileManager.default.fileExists(atPath: file.path) else {
            if let name = names.first, names.count == 1 { return name }
            let plain = folder.deletingPathExtension().lastPathComponent
            if names.contains(plain) { return plain }
            throw ModelError(
                code: .invalidFile,
                message:
                    """
                    \(folder.lastPathComponent) has several versions, but no .xccurrentversion. Choose the current \
                    version in Xcode.
                    """)
        }
        let data = try read(file, limit: 64 << 10)
        let list: PropertyListValue
        do {
            list = try PropertyListValue(fileContents: data)
        } catch {
            throw ModelError(
                code: .invalidFile,
                message: "\(file.path) is not a property list. Choose the current version again in Xcode.",
                underlyingError: error)
        }
        let name = list["_XCCurrentVersionName"]?.stringValue.map { String($0.dropLast(".xcdatamodel".count)) }
        guard let name, names.contains(name) else {
            throw ModelError(
                code: .invalidFile,
                message: "\(file.path) names a version that does not exist. Choose the current version again in Xcode.")
        }
        return name
    }

    private static func notAModel(_ folder: URL) -> ModelError {
        ModelError(
            code: .invalidFile,
            message: """
                \(folder.path) is not a model. Pass an .xcdatamodeld or .xcdatamodel folder that has a contents file, \
                or a compiled .momd or .mom. Models of Xcode 3 are not supported.
                """)
    }

    static func read(_ file: URL, limit: Int) throws(ModelError) -> Data {
        // Non-blocking: opening a pipe in place of a file would otherwise wait.
        let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            throw ModelError(
                code: .unreadableFile,
                message: "\(file.path) cannot be read. Check that it is a file, and check its permissions.")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            // One extra byte distinguishes a file of exactly the limit from a longer one.
            return try handle.read(upToCount: limit + 1) ?? Data()
        } catch {
            throw ModelError(
                code: .unreadableFile,
                message: "\(file.path) cannot be read. Check that it exists, and check its permissions.",
                underlyingError: error)
        }
    }
}

extension PropertyListValue {
    /// Reads a property list of any form. Foundation trusts the bytes of a binary one, and may trap on damaged ones.
    ///
    /// - Throws: ``PropertyListError``, or Foundation's error for bytes that are none.
    init(fileContents data: Data) throws {
        if data.starts(with: Data("bplist".utf8)) {
            self = try BinaryPropertyListReader.read(data)
        } else {
            self = PropertyListValue(try PropertyListSerialization.propertyList(from: data, format: nil)) ?? .null
        }
    }

    /// Creates texts, bytes, and dictionaries of them, from Foundation's; `nil` for values of other kinds.
    private init?(_ value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let data as Data: self = .data(data)
        case let values as [String: Any]: self = .dictionary(values.compactMapValues { PropertyListValue($0) })
        default: return nil
        }
    }
}
