public import DataMonkCore
import DataMonkSQLite
public import Foundation

extension ManagedObjectModel {
    /// Loads the model of a store from the store itself, without a model file.
    ///
    /// ```swift
    /// let stack = Stack(model: try ManagedObjectModel.load(fromStoreAt: url))
    /// try stack.addDatabaseStore(fileURL: url)
    /// ```
    /// Without classes, the objects are plain managed objects whose values are accessed by key. The file is not changed.
    ///
    /// - Parameters:
    ///   - url: A database file written by this library or by Core Data.
    ///   - classes: The managed object classes that the model refers to by name.
    /// - Throws: `StoreError` if there is no such file (`fileNotFound`), if it is not a database (`notADatabase`), if
    ///   another program wrote it (`incompatibleSchema`), if an old framework wrote it without its model (`missingModel`),
    ///   if it is damaged (`corrupt`), or if its model has parts unknown to this library (`incompatibleVersionHash`);
    ///   `ModelError` with every problem of an invalid model.
    /// - Complexity: Three `SELECT` statements; linear in the size of the model.
    public static func load(
        fromStoreAt url: URL, classes: [ManagedObject.Type] = []
    ) throws -> ManagedObjectModel {
        try StoreFacts.read(url).model(url, classes: classes)
    }
}
