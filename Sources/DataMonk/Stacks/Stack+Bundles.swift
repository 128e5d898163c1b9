public import DataMonkCore
public import Foundation

extension Stack {
    /// Creates a stack for a model in a bundle: either its source, `<name>.xcdatamodeld` or `<name>.xcdatamodel`, or the
    /// form that Xcode compiles it to, `<name>.momd` or `<name>.mom`.
    ///
    /// ```swift
    /// let stack = try Stack(modelName: "Shop", bundle: .module, classes: [Order.self])
    /// ```
    /// If the model has several versions, the stack uses the current one. The others serve to migrate stores.
    ///
    /// - Parameters:
    ///   - modelName: The name of the model's folder, without its extension.
    ///   - bundle: The bundle that contains the folder.
    ///   - classes: The managed object classes that the model refers to by name. Entities without a class have plain managed
    ///     objects.
    /// - Throws: ``/DataMonkCore/ModelError`` if there is no such model (the message lists the places searched), or if the
    ///   model is unreadable or invalid.
    public convenience init(
        modelName: String, bundle: Bundle = .main, classes: [ManagedObject.Type] = [],
        rootContext: RootContextType = .shared, updateOrder: UpdateOrder = .default,
        trace: (@Sendable (String) -> Void)? = nil
    ) throws {
        let url = try Self.modelURL(named: modelName, in: bundle)
        try self.init(
            ModelBundle(contentsOf: url), classes: classes, rootContext: rootContext, updateOrder: updateOrder,
            trace: trace)
    }

    /// Creates a stack for the model named after its bundle, by default the application's.
    ///
    /// ```swift
    /// let stack = try Stack()
    /// ```
    /// The name is the bundle's `CFBundleName`. If the bundle has none, it is the program's name for the main bundle, and
    /// the folder's name for any other.
    ///
    /// - Throws: ``/DataMonkCore/ModelError``: see ``init(modelName:bundle:classes:rootContext:updateOrder:trace:)``.
    public convenience init(
        bundle: Bundle = .main, classes: [ManagedObject.Type] = [], rootContext: RootContextType = .shared,
        updateOrder: UpdateOrder = .default, trace: (@Sendable (String) -> Void)? = nil
    ) throws {
        try self.init(
            modelName: Self.name(of: bundle), bundle: bundle, classes: classes, rootContext: rootContext,
            updateOrder: updateOrder, trace: trace)
    }

    private static func name(of bundle: Bundle) -> String {
        if let name = bundle.infoDictionary?["CFBundleName"] as? String, !name.isEmpty { return name }
        if bundle.bundleURL == Bundle.main.bundleURL { return ProcessInfo.processInfo.processName }
        return bundle.bundleURL.deletingPathExtension().lastPathComponent
    }

    private static func modelURL(named name: String, in bundle: Bundle) throws(ModelError) -> URL {
        let folder = bundle.resourceURL ?? bundle.bundleURL
        // A name with slashes could leave the bundle.
        guard !name.isEmpty, !name.contains("/") else {
            throw ModelError(
                code: .unreadableFile, message: "\"\(name)\" is not a valid model name. Use a name without slashes.")
        }
        let places = ["xcdatamodeld", "xcdatamodel", "momd", "mom"].map { folder.appending(path: "\(name).\($0)") }
        if let place = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) { return place }
        throw ModelError(
            code: .unreadableFile,
            message: """
                The bundle contains no model \(name). These locations were searched: \
                \(places.map(\.path).joined(separator: ", ")). Add the folder to the resources of its target with \
                `.copy("\(name).xcdatamodeld")`, use another name, or pass the classes of the model: \
                Stack(Person.self).
                """)
    }
}
