public import DataMonkCore

/// The code of a class that runs when its objects are imported.
///
///     extension Person: ImportHooks {
///         func importValue(_ value: ManagedValue, forKey key: String) throws -> Bool {
///             guard key == "age", case .string(let text) = value else { return false }
///             age = text == "n/a" ? 0 : Int(text) ?? age
///             return true
///         }
///     }
///
/// Each function has an implementation that changes nothing. None is called for an object that a row has only the key of: it is
/// found or made, and linked. They run in the context of the import, and again when its chunk
/// runs again: after a conflict, to find the rows that fail, and without them. What they change, delete and make belongs to the
/// row: it is committed with it, and fails it if it is invalid. An error that one throws is the failure of its row, and so is
/// that of saving, rolling back or resetting the context, or committing the update of the import: these calls are refused. A row
/// whose object they delete is skipped.
public protocol ImportHooks: ManagedObject {
    /// Returns `false` if a row must not be imported. The object is the one that has the row's key, or a new one, which then is
    /// not kept. Of an object nested in another one's row, `false` leaves its values alone; one that is stored is linked.
    func shouldImport(_ values: [String: ManagedValue]) throws -> Bool
    /// Called before the values of a row are set.
    func willImport(_ values: [String: ManagedValue]) throws
    /// Called after the values of a row have been set, relationships included.
    func didImport(_ values: [String: ManagedValue]) throws
    /// Sets a property from a value of the row in a way of its own.
    ///
    /// - Parameters:
    ///   - value: The value as the row has it.
    ///   - key: The name of the property.
    /// - Returns: `true` if it was set; otherwise it is set as usual.
    func importValue(_ value: ManagedValue, forKey key: String) throws -> Bool
}

extension ImportHooks {
    /// Returns `true`: every row is imported.
    public func shouldImport(_ values: [String: ManagedValue]) throws -> Bool { true }
    /// Does nothing.
    public func willImport(_ values: [String: ManagedValue]) throws {}
    /// Does nothing.
    public func didImport(_ values: [String: ManagedValue]) throws {}
    /// Returns `false`: the value is set as usual.
    public func importValue(_ value: ManagedValue, forKey key: String) throws -> Bool { false }
}
