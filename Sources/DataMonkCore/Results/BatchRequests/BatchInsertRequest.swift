public import Foundation

/// **Confined.** A request that inserts many objects in one transaction, without creating them in a context.
///
///     let request = BatchInsertRequest(entityName: "Person", objects: [["name": "Monk", "age": 40], ["name": "Knight"]])
///     let result = try context.execute(request)
///
/// Attributes missing from a dictionary get the model's defaults; to-ones take the id of an object. Values are validated as
/// in a save, but no code of the objects' class runs. If one object is refused, none is inserted.
///
/// Handlers fill in one object at a time, so that a million objects need no more memory than a thousand. They run on the
/// calling thread while the store is being written, and must not save, commit, or execute a batch.
public struct BatchInsertRequest {
    /// The source of the objects.
    enum Source {
        case dictionaries([[String: ManagedValue]])
        case dictionaryHandler((inout [String: ManagedValue]) throws -> Bool)
        case objectHandler((ManagedObject) throws -> Bool)
    }

    /// The way the entity is specified.
    enum Subject {
        case name(String)
        case objectClass(ManagedObject.Type)
    }

    /// The treatment of an object whose unique values another object has.
    public enum Duplicates: Sendable, Hashable {
        /// The request throws, and inserts nothing.
        case refused
        /// The other object gets the values that are given: the names in a dictionary, and all attributes of the object that a
        /// handler fills. `INSERT … ON CONFLICT DO UPDATE`, for every store.
        ///
        /// If several dictionaries have the same unique values, the later ones come over the earlier ones. An object whose
        /// values two others have is refused.
        case updated
    }

    let subject: Subject
    let source: Source
    /// The treatment of objects whose unique values other objects have, alone or together. The result's
    /// ``BatchResult/upsert`` tells which were inserted and which updated.
    ///
    ///     var request = BatchInsertRequest(entityName: "Person", objects: people)
    ///     request.duplicates = .updated
    ///     print(try context.execute(request).upsert?.updatedCount ?? 0)
    public var duplicates = Duplicates.refused
    /// The store that the objects are inserted into, as a list of one: its location, or `nil` for the store in memory. By
    /// default, it is the first one that holds the entity. Any other number of stores, and a store that the stack lacks or
    /// that does not hold the entity, are errors.
    ///
    ///     request.affectedStores = [archiveURL]
    public var affectedStores: [URL?]?
    /// The result to return.
    public var resultType = BatchResult.ResultType.count

    /// Creates a request that inserts an object for each dictionary.
    public init(entityName: String, objects: [[String: ManagedValue]]) {
        subject = .name(entityName)
        source = .dictionaries(objects)
    }

    /// Creates a request that inserts an object for each dictionary that the handler fills.
    ///
    /// - Parameter dictionaryHandler: A closure that receives an empty dictionary. It returns `true` if there are no more
    ///   objects; whatever it has filled in that call is not inserted. If it throws, the whole request is rolled back.
    public init(entityName: String, dictionaryHandler: @escaping (inout [String: ManagedValue]) throws -> Bool) {
        subject = .name(entityName)
        source = .dictionaryHandler(dictionaryHandler)
    }

    /// Creates a request that inserts an object each time the handler sets an object's attributes.
    ///
    ///     var names = ["Monk", "Knight"].makeIterator()
    ///     let request = BatchInsertRequest(Person.self) { person in
    ///         guard let name = names.next() else { return true }
    ///         person.name = name
    ///         return false
    ///     }
    ///
    /// - Parameter objectHandler: A closure that receives an object with the model's defaults. It is the same object each
    ///   time and belongs to none of your contexts: its attributes can be set, but its relationships cannot. The closure
    ///   returns `true` if there are no more objects.
    public init<Object: ManagedObject>(_ type: Object.Type, objectHandler: @escaping (Object) throws -> Bool) {
        subject = .objectClass(type)
        source = .objectHandler { object in
            guard let object = object as? Object else { throw FetchError.wrongClass(type, of: object.entity) }
            return try objectHandler(object)
        }
    }
}

@available(*, unavailable)
extension BatchInsertRequest: Sendable {}
