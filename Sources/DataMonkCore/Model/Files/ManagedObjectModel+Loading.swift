public import Foundation

extension ManagedObjectModel {
    /// Loads the current version of a model that Xcode wrote or compiled.
    ///
    /// ```swift
    /// let model = try ManagedObjectModel.load(contentsOf: URL(filePath: "Shop.xcdatamodeld"))
    /// ```
    /// - Parameters:
    ///   - url: An `.xcdatamodeld`, `.xcdatamodel` or `.momd` folder, or a `.mom` file.
    ///   - classes: The managed object classes that the file's class names refer to.
    /// - Throws: `ModelError`. See `ModelBundle`, which also provides the other versions.
    public static func load(
        contentsOf url: URL, classes: [ManagedObject.Type] = []
    ) throws(ModelError) -> ManagedObjectModel {
        try ModelBundle(contentsOf: url).model(classes: classes)
    }
}
