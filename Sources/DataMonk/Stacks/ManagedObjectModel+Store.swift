public import DataMonkCore
import DataMonkSQLite
public import Foundation

extension ManagedObjectModel {
    /// Loads the model that a store was written with from the store itself: no model file is needed.
    ///
    /// ```swift
    /// let stack = Stack(model: try ManagedObjectModel.load(fromStoreAt: url))
    /// try stack.addDatabaseStore(fileURL: url)
    /// ```
    /// Without classes the objects are plain managed objects, with their values by key. The file is not changed.
    ///
    /// - Parameters:
    ///   - url: A database file that this library or Core Data wrote.
    ///   - classes: The classes of managed objects that the model's class names stand for.
    /// - Throws: `StoreError`: no such file (`fileNotFound`), no database (`notADatabase`), another program's database
    ///   (`incompatibleSchema`), a store of an old framework, without its model (`missingModel`), a damaged one
    ///   (`corrupt`), or one whose model has parts that this library does not know (`incompatibleVersionHash`);
    ///   `ModelError` with every problem of a model that is not sound.
    /// - Complexity: three SELECTs; linear in the size of the model.
    public static func load(
        fromStoreAt url: URL, classes: [ManagedObject.Type] = []
    ) throws -> ManagedObjectModel {
        try StoreFacts.read(url).model(url, classes: classes)
    }
}
