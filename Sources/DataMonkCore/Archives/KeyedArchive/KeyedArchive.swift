package import Foundation

/// **Value.** Reads a keyed archive, as Foundation's `NSKeyedArchiver` writes it, from a file that may be damaged or
/// hostile. It makes no objects of the archive's classes: it shows what each object held.
///
/// ```
/// $version  100000            $archiver  NSKeyedArchiver
/// $top      root: UID
/// $objects  0  $null
///           1  { $class: UID, key: value or UID, … }      an object
///           2  "text", 7, true, data                       a plain value
///           3  { $classname: NSArray, $classes: [NSArray, NSObject] }
/// ```
/// Objects may refer to each other in circles. Reading one looks at no other, so whoever walks the graph ends circles by
/// the objects' numbers; the number of steps is capped all the same, as a few objects that share their parts can stand
/// for billions.
package struct KeyedArchive {
    private let objects: [PropertyListValue]
    private let rootReference: PropertyListValue
    private var remainingSteps: Int

    /// How many values may be looked up: far more than a model of a thousand entities needs.
    package static let maximumSteps = 2_000_000

    /// Takes the bytes of an archive apart.
    ///
    /// - Throws: ``PropertyListError``, ``KeyedArchiveError``.
    package init(_ data: Data, limits: PropertyListLimits = .init(), maximumSteps: Int = maximumSteps) throws {
        let list = try BinaryPropertyListReader.read(data, limits: limits)
        guard list["$archiver"]?.stringValue == "NSKeyedArchiver", let objects = list["$objects"]?.arrayValue else {
            throw KeyedArchiveError(.notAnArchive)
        }
        guard list["$version"]?.integerValue == 100_000 else { throw KeyedArchiveError(.unknownVersion) }
        guard let root = list["$top"]?["root"] else { throw KeyedArchiveError(.notAnArchive) }
        self.objects = objects
        rootReference = root
        remainingSteps = maximumSteps
    }

    /// The object that was archived.
    package mutating func root() throws -> KeyedArchiveValue { try value(rootReference) }

    /// What a reference stands for; a value that is no reference stands for itself.
    package mutating func value(_ reference: PropertyListValue?) throws -> KeyedArchiveValue {
        try takeSteps(1)
        guard let reference else { return .null }
        guard case .uid(let uid) = reference else { return .plain(reference) }
        guard let number = Int(exactly: uid), objects.indices.contains(number) else {
            throw KeyedArchiveError(.danglingReference)
        }
        if number == 0 { return .null }
        guard let fields = objects[number].dictionaryValue else { return .plain(objects[number]) }
        guard case .uid(let classUID)? = fields["$class"], let classNumber = Int(exactly: classUID),
            objects.indices.contains(classNumber), let name = objects[classNumber]["$classname"]?.stringValue
        else { throw KeyedArchiveError(.objectWithoutClass) }
        let classes = objects[classNumber]["$classes"]?.arrayValue ?? []
        try takeSteps(classes.count / 8)
        let ancestry = classes.compactMap(\.stringValue)
        return .object(KeyedArchiveObject(number: number, className: name, ancestry: ancestry, fields: fields))
    }

    /// The value of a key of an object, `.null` where there is none.
    package mutating func value(of object: KeyedArchiveObject, _ key: String) throws -> KeyedArchiveValue {
        try value(object.fields[key])
    }

    /// Counts a text that is to be copied: a few bytes of the archive may name a long one again and again.
    package mutating func takeSteps(for text: String) throws { try takeSteps(text.utf8.count / 64) }

    /// Counts work before it is done.
    package mutating func takeSteps(_ count: Int) throws {
        guard count <= remainingSteps else { throw KeyedArchiveError(.tooMuchWork) }
        remainingSteps -= count
    }
}

/// **Value.** What a reference in a keyed archive stands for.
package enum KeyedArchiveValue {
    case null
    /// A number, a text or bytes.
    case plain(PropertyListValue)
    case object(KeyedArchiveObject)

    package var object: KeyedArchiveObject? { if case .object(let object) = self { object } else { nil } }
}

/// **Value.** An object in a keyed archive: its class and what it held.
package struct KeyedArchiveObject {
    /// Its place among the archive's objects: its identity.
    package let number: Int
    package let className: String
    /// The class and those above it.
    package let ancestry: [String]
    /// What it held by key; references to other objects are UIDs.
    package let fields: [String: PropertyListValue]

    /// The keys, in the order of their names.
    package var keys: [String] { fields.keys.filter { $0 != "$class" }.sorted() }

    /// Whether the object is of a class or inherits from it.
    package func isKind(of name: String) -> Bool { className == name || ancestry.contains(name) }

    /// A whole number that lies in the object itself.
    package func integer(_ key: String) -> Int? { fields[key]?.integerValue.flatMap(Int.init(exactly:)) }

    /// A truth value that lies in the object itself; older archivers write numbers.
    package func flag(_ key: String) -> Bool {
        switch fields[key] {
        case .bool(let flag): flag
        case .integer(let number): number != 0
        default: false
        }
    }
}
