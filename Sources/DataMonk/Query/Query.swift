public import DataMonkCore
public import Foundation

/// **Value.** The condition of a query, built with the key operators.
///
/// ```swift
/// let grown: Query = %"age" >= 18 && %"location" == "Taipei"
/// let people = try World.fetchAll(Person.self, grown)
/// // SELECT … FROM ZPERSON t0 WHERE t0.ZAGE >= ?1 AND t0.ZLOCATION = ?2
/// ```
/// A query only holds names. The fetch that uses it looks them up in the model before it runs any SQL, and throws a
/// `FetchError` for an unknown name or a value of the wrong type.
public struct Query: Sendable, Hashable {
    /// The condition that the query wraps.
    public var condition: Condition

    /// Creates a query from a condition.
    public init(_ condition: Condition) { self.condition = condition }
}

extension Query {
    /// Creates a query from key paths, for example to keep it and use it several times.
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
    /// Returns a query that is true if both queries are. `WHERE … AND …`
    public static func && (left: Query, right: Query) -> Query { Query(left.condition.and(right.condition)) }

    /// Returns a query that is true if at least one of the queries is. `WHERE … OR …`
    public static func || (left: Query, right: Query) -> Query { Query(left.condition.or(right.condition)) }

    /// Returns the opposite query. `WHERE (…) IS NOT TRUE`
    public static prefix func ! (query: Query) -> Query { Query(query.condition.negated) }
}

extension Query {
    /// Creates a query from a format string in the language of Core Data's predicates.
    ///
    ///     try World.fetchAll(Person.self, .Where("name LIKE[cd] %@ AND ANY friends.age > %d", "mon*", 18))
    ///
    /// - Throws: `FetchError`, with the position, if the format is not a condition or the arguments do not match it; see
    ///   `Condition.init(format:_:)`.
    public static func Where(_ format: String, _ arguments: any FormatArgument...) throws(FetchError) -> Query {
        Query(try Condition(format: format, arguments: arguments.map(\.formatArgument)))
    }

    /// Creates a query from an existing condition.
    public static func Predicate(_ condition: Condition) -> Query { Query(condition) }

    /// Creates a query from a Foundation predicate.
    ///
    ///     try World.fetchAll(Person.self, .Predicate(#Predicate<Person> { $0.age >= 18 }))
    ///     // SELECT … FROM ZPERSON t0 WHERE t0.ZAGE >= ?1
    ///
    /// - Throws: `FetchError`, naming the part of the predicate, if no condition can express it; see `Condition.init(_:)`.
    public static func Predicate<Object: ManagedObject>(
        _ predicate: Foundation.Predicate<Object>
    ) throws(FetchError) -> Query {
        Query(try Condition(predicate))
    }
}
