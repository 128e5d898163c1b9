public import DataMonkCore
public import Foundation

/// **Value.** A condition of a query as the key operators make it.
///
/// ```swift
/// let grown: Query = %"age" >= 18 && %"location" == "Taipei"
/// let people = try World.fetchAll(Person.self, grown)
/// // SELECT … FROM ZPERSON t0 WHERE t0.ZAGE >= ?1 AND t0.ZLOCATION = ?2
/// ```
/// A query knows names only. The fetch that uses it looks them up in the model before it asks the store, and throws a
/// `FetchError` for a name that is not there or a value of the wrong type.
public struct Query: Sendable, Hashable {
    /// The engine's form of the query.
    public var condition: Condition

    /// A query of a condition.
    public init(_ condition: Condition) { self.condition = condition }
}

extension Query {
    /// A query that is written with key paths, to be kept and used again.
    ///
    ///     let grown = Query(Person.self) { $0.age >= 18 }
    ///     let people = try World.fetchAll(Person.self, grown && %"location" == "Taipei")
    public init<Object: ManagedObject>(
        _ type: Object.Type, where condition: (TypedObject<Object>) throws -> Query
    ) rethrows {
        self = try condition(TypedObject())
    }
}

extension Query {
    /// Both are true. `WHERE … AND …`
    public static func && (left: Query, right: Query) -> Query { Query(left.condition.and(right.condition)) }

    /// At least one is true. `WHERE … OR …`
    public static func || (left: Query, right: Query) -> Query { Query(left.condition.or(right.condition)) }

    /// The opposite. `WHERE (…) IS NOT TRUE`
    public static prefix func ! (query: Query) -> Query { Query(query.condition.negated) }
}

extension Query {
    /// What a format string says, in the language of Core Data's predicates.
    ///
    ///     try World.fetchAll(Person.self, .Where("name LIKE[cd] %@ AND ANY friends.age > %d", "mon*", 18))
    ///
    /// - Throws: `FetchError`, naming the position, for a format that is no condition or arguments that do not fit; see
    ///   `Condition.init(format:_:)`.
    public static func Where(_ format: String, _ arguments: any FormatArgument...) throws(FetchError) -> Query {
        Query(try Condition(format: format, arguments: arguments.map(\.formatArgument)))
    }

    /// A condition that was made elsewhere.
    public static func Predicate(_ condition: Condition) -> Query { Query(condition) }

    /// What a predicate of Foundation's says.
    ///
    ///     try World.fetchAll(Person.self, .Predicate(#Predicate<Person> { $0.age >= 18 }))
    ///     // SELECT … FROM ZPERSON t0 WHERE t0.ZAGE >= ?1
    ///
    /// - Throws: `FetchError` for what no condition can say, naming the part of the predicate; see `Condition.init(_:)`.
    public static func Predicate<Object: ManagedObject>(
        _ predicate: Foundation.Predicate<Object>
    ) throws(FetchError) -> Query {
        Query(try Condition(predicate))
    }
}
