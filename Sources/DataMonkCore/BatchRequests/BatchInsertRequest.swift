/// **Confined.** Inserts many objects in one transaction, without making any of them in a context.
///
///     let request = BatchInsertRequest(entityName: "Person", objects: [["name": "Monk", "age": 40], ["name": "Knight"]])
///     let result = try context.execute(request)
///
/// Attributes that a dictionary does not name have the model's defaults; to-ones take the id of an object. Values are
/// checked as a save checks them, but no code of the objects' class runs. If one object is refused, none is inserted.
///
/// The handlers fill in one object after the other, so a million of them needs no more memory than a thousand. They run on
/// the calling thread while the store is being written to, and must not save, commit, or execute a batch.
public struct BatchInsertRequest {
    /// Where the objects come from.
    enum Source {
        case dictionaries([[String: ManagedValue]])
        case dictionaryHandler((inout [String: ManagedValue]) throws -> Bool)
        case objectHandler((ManagedObject) throws -> Bool)
    }

    /// How the entity is told.
    enum Subject {
        case name(String)
        case objectClass(ManagedObject.Type)
    }

    let subject: Subject
    let source: Source
    /// What is to be known afterwards.
    public var resultType = BatchResult.ResultType.count

    /// Inserts an object for each dictionary.
    public init(entityName: String, objects: [[String: ManagedValue]]) {
        subject = .name(entityName)
        source = .dictionaries(objects)
    }

    /// Inserts an object for each dictionary that the handler fills.
    ///
    /// - Parameter dictionaryHandler: gets an empty dictionary. It returns true when there are no more objects; what it has
    ///   filled then is not inserted. What it throws takes the whole request back.
    public init(entityName: String, dictionaryHandler: @escaping (inout [String: ManagedValue]) throws -> Bool) {
        subject = .name(entityName)
        source = .dictionaryHandler(dictionaryHandler)
    }

    /// Inserts an object for each time that the handler sets an object's attributes.
    ///
    ///     var names = ["Monk", "Knight"].makeIterator()
    ///     let request = BatchInsertRequest(Person.self) { person in
    ///         guard let name = names.next() else { return true }
    ///         person.name = name
    ///         return false
    ///     }
    ///
    /// - Parameter objectHandler: gets an object with the model's defaults, the same one each time, of no context of yours:
    ///   its attributes can be set, its relationships cannot. It returns true when there are no more objects.
    public init<Object: ManagedObject>(_ type: Object.Type, objectHandler: @escaping (Object) throws -> Bool) {
        subject = .objectClass(type)
        source = .objectHandler { object in
            guard let object = object as? Object else { throw FetchError.wrongClass(type, object.entity) }
            return try objectHandler(object)
        }
    }
}

@available(*, unavailable)
extension BatchInsertRequest: Sendable {}
