/// **Value.** The behavior of an access to a property that must first be read from the store: of a fault, or of a to-many
/// that has not been loaded.
///
/// Loading on access is convenient, but a loop that does so accesses the store again and again. DataMonk reads objects
/// that were registered together at once, so that the loop takes only a few queries. The strict settings help to find
/// code in which prefetching could replace even these by a single query.
///
///     context.lazyLoading = .reported
///     for employee in try World.fetchAll(Employee.self, options: .Prefetch(["department"])) {
///         print(employee.department?.name ?? "")      // loaded already: nothing to report
///     }
public enum LazyLoading: Sendable, Hashable, CaseIterable {
    /// The property is read, together with the same property of the objects registered by the same call.
    case automatic
    /// It is read as with `automatic`, and a ``FetchError`` with the code `lazyLoading` goes to the stack's error
    /// handler.
    case reported
    /// It is not read: `value(forKey:)` throws the error, and accessing the property stops the program with it.
    /// `fault()`, which reads explicitly, still works. For development and tests.
    case refused
}
