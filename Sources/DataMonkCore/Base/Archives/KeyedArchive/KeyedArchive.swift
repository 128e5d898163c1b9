package import Foundation

/// **Value.** Reads a keyed archive, as Foundation's `NSKeyedArchiver` writes it, from a file that may be damaged or
/// hostile. It instantiates none of the archive's classes and provides the contents of each object instead.
///
/// ```
/// $version  100000            $archiver  NSKeyedArchiver
/// $top      root: UID
/// $objects  0  $null
///           1  { $class: UID, key: value or UID, … }      an object
///           2  "text", 7, true, data                       a plain value
///           3  { $classname: NSArray, $classes: [NSArray, NSObject] }
/// ```
/// Objects may refer to each other in cycles. Reading one object reads no other, so code that walks the graph detects
/// cycles by the objects' numbers. The number of steps is limited all the same, since a few objects that share their parts
/// can stand for billions.
package struct KeyedArchive {
    private let objects: [PropertyListValue]
    private let rootReference: PropertyListValue
    private var remainingSteps: Int

    /// The maximum number of values to look up: far more than a model of a thousand entities needs.
    package static let maximumSteps = 2_000_000

    /// Parses the bytes of an archive.
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

    /// Returns the archived object.
    package mutating func root() throws -> KeyedArchiveValue { try value(rootReference) }

    /// Returns the value that a reference stands for. A value that is not a reference stands for itself.
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

    /// Returns the value of a key of an object, or `.null` if there is none.
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

/// **Value.** The value that a reference in a keyed archive stands for.
package enum KeyedArchiveValue {
    case null
    /// A number, a text or bytes.
    case plain(PropertyListValue)
    case object(KeyedArchiveObject)

    package var object: KeyedArchiveObject? { if case .object(let object) = self { object } else { nil } }
}

/// **Value.** An object in a keyed archive: its class and its contents.
package struct KeyedArchiveObject {
    /// The object's position among the archive's objects, which identifies it.
    package let number: Int
    package let className: String
    /// The class and its superclasses.
    package let ancestry: [String]
    /// The contents by key. References to other objects are UIDs.
    package let fields: [String: PropertyListValue]

    /// The keys, sorted by name.
    package var keys: [String] { fields.keys.filter { $0 != "$class" }.sorted() }

    /// Returns `true` if the object is of a class or inherits from it.
    package func isKind(of name: String) -> Bool { className == name || ancestry.contains(name) }

    /// Returns an integer contained in the object itself.
    package func integer(_ key: String) -> Int? { fields[key]?.integerValue.flatMap(Int.init(exactly:)) }

    /// Returns a Boolean value contained in the object itself. Older archivers write numbers.
    package func flag(_ key: String) -> Bool {
        switch fields[key] {
        case .bool(let flag): flag
        case .integer(let number): number != 0
        default: false
        }
    }
}
