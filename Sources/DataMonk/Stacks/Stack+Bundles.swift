public import DataMonkCore
public import Foundation

extension Stack {
    /// Makes a stack for a model that lies in a bundle: a source, `<name>.xcdatamodeld` or `<name>.xcdatamodel`, or what Xcode
    /// compiles it to, `<name>.momd` or `<name>.mom`.
    ///
    /// ```swift
    /// let stack = try Stack(modelName: "Shop", bundle: .module, classes: [Order.self])
    /// ```
    /// Of several versions it takes the current one; the others serve stores that are to be migrated.
    ///
    /// - Parameters:
    ///   - modelName: the name of the model's folder, without its extension.
    ///   - bundle: where the folder lies.
    ///   - classes: the classes of managed objects that the model's class names stand for; entities without one have
    ///     plain managed objects.
    /// - Throws: ``ModelError``: no such model (the message names the places that were looked at), one that cannot be
    ///   understood, or that is not sound.
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

    /// Makes a stack for the model that has its bundle's name: the application's, if no bundle is given.
    ///
    /// ```swift
    /// let stack = try Stack()
    /// ```
    /// The name is the bundle's `CFBundleName`; of a bundle without one it is the program's name for the main bundle, the
    /// folder's name for another.
    ///
    /// - Throws: ``ModelError``: see ``init(modelName:bundle:classes:rootContext:updateOrder:trace:)``.
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
        // A name with slashes would lead out of the bundle.
        guard !name.isEmpty, !name.contains("/") else {
            throw ModelError(
                code: .unreadableFile, message: "\"\(name)\" is no name of a model. Give one without slashes.")
        }
        let places = ["xcdatamodeld", "xcdatamodel", "momd", "mom"].map { folder.appending(path: "\(name).\($0)") }
        if let place = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) { return place }
        throw ModelError(
            code: .unreadableFile,
            message: """
                There is no model \(name) in the bundle. Looked for \(places.map(\.path).joined(separator: ", ")). \
                Add the folder to the resources of its target, as `.copy("\(name).xcdatamodeld")`, give another name, or pass \
                the classes of the model: Stack(Person.self).
                """)
    }
}
