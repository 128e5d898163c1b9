/// **Value.** What happens when a property is touched that has to be read from the store first: a fault, or a to-many that
/// was not loaded.
///
/// Loading on touch is convenient, and a loop over it asks the store again and again. DataMonk asks for objects that came
/// together at once, so that the loop takes a few queries; the strict settings find the places where even those could be
/// one, by prefetching.
///
///     context.lazyLoading = .reported
///     for employee in try World.fetchAll(Employee.self, options: .Prefetch(["department"])) {
///         print(employee.department?.name ?? "")      // loaded already: nothing to report
///     }
public enum LazyLoading: Sendable, Hashable, CaseIterable {
    /// It is read, together with the same property of the objects that came along.
    case automatic
    /// It is read in the same way, and a ``FetchError`` with the code `lazyLoading` goes to the stack's error handler.
    case reported
    /// It is not read: `fault()`, which asks for it, goes on working, `value(forKey:)` throws the error, and touching the
    /// property stops the program with it. For development and tests.
    case refused
}
