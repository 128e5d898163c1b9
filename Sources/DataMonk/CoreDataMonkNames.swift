// The spellings of CoreDataMonk's manual, so that its programs compile in Swift 5 mode as they stand. Each is another name
// for something of this library; Swift 6 mode warns, and names it.

/// The name of ``Stack`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "Stack")
public typealias CoreDataStack = Stack
/// The name of ``Context`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "Context")
public typealias CoreDataContext = Context
/// The name of ``MainContext`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "MainContext")
public typealias CoreDataMainContext = MainContext
/// The name of ``Update`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "Update")
public typealias CoreDataUpdate = Update
/// The name of ``UpdateContext`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "UpdateContext")
public typealias CoreDataUpdateContext = UpdateContext
/// The name of ``Query`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "Query")
public typealias CoreDataQuery = Query
/// The name of ``QueryKey`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "QueryKey")
public typealias CoreDataQueryKey = QueryKey
/// The name of ``Select`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "Select")
public typealias CoreDataSelect = Select
/// The name of ``OrderBy`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "OrderBy")
public typealias CoreDataOrderBy = OrderBy
/// The name of ``QueryOptions`` in programs of CoreDataMonk.
@available(swift, deprecated: 6, renamed: "QueryOptions")
public typealias CoreDataQueryOptions = QueryOptions

// swift-format-ignore: AlwaysUseLowerCamelCase
extension Stack.RootContextType {
    /// The name of ``none`` in programs of CoreDataMonk.
    @available(swift, deprecated: 6, renamed: "none")
    public static var None: Self { .none }
    /// The name of ``shared`` in programs of CoreDataMonk.
    @available(swift, deprecated: 6, renamed: "shared")
    public static var Shared: Self { .shared }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension UpdateTarget {
    /// The name of ``mainContext`` in programs of CoreDataMonk.
    @available(swift, deprecated: 6, renamed: "mainContext")
    public static var MainContext: Self { .mainContext }
    /// The name of ``persistentStore`` in programs of CoreDataMonk.
    @available(swift, deprecated: 6, renamed: "persistentStore")
    public static var PersistentStore: Self { .persistentStore }
    /// The name of ``rootContext(autoMerge:)`` in programs of CoreDataMonk.
    @available(swift, deprecated: 6, renamed: "rootContext(autoMerge:)")
    public static func RootContext(autoMerge: Bool) -> Self { .rootContext(autoMerge: autoMerge) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension UpdateOrder {
    /// The name of ``default`` in programs of CoreDataMonk.
    @available(swift, deprecated: 6, renamed: "default")
    public static var Default: Self { .default }
    /// The name of ``serial`` in programs of CoreDataMonk.
    @available(swift, deprecated: 6, renamed: "serial")
    public static var Serial: Self { .serial }
}
