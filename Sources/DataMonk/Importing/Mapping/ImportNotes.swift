import DataMonkCore

/// **Value.** The keys of user info that imports read, with MagicalRecord's names.
package enum ImportNote: String, CaseIterable, Sendable {
    case mappedKeyName
    case relatedByAttribute
    case dateFormat
    case useDefaultValueWhenNotPresent
    case className
    case mergePolicy

    /// The notes on an entity.
    package static let ofEntities: [ImportNote] = [.relatedByAttribute]
    /// The notes on an attribute.
    package static let ofAttributes: [ImportNote] = [.mappedKeyName, .dateFormat, .useDefaultValueWhenNotPresent]
    /// The notes on a relationship.
    package static let ofRelationships: [ImportNote] = [.mappedKeyName, .relatedByAttribute, .className, .mergePolicy]

    /// Creates the note that a key is of: its name, or `mappedKeyName` with a number from 0 to 9. `nil` for other keys.
    package init?(key: String) {
        let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let note = ImportNote(rawValue: String(parts[0])) else { return nil }
        let isNumbered = parts.count == 2 && parts[1].count == 1 && parts[1].allSatisfy { $0.isASCII && $0.isNumber }
        guard parts.count == 1 || note == .mappedKeyName && isNumbered else { return nil }
        self = note
    }
}

/// **Value.** The user info of an entity or a property, as imports read it. Everything that is wrong with it is a problem.
struct ImportNotes {
    private let notes: [String: String]
    /// The entity or property, for messages.
    private let owner: String

    init(_ notes: [String: String], of owner: String) {
        self.notes = notes
        self.owner = owner
    }

    subscript(_ note: ImportNote) -> String? { notes[note.rawValue] }

    /// Returns the paths in a row that the notes give for a property, `name` if there are none.
    func paths(orName name: String, problems: inout [String]) -> [String] {
        var paths = [self[.mappedKeyName] ?? name]
        for number in 0...9 { if let path = notes["mappedKeyName.\(number)"] { paths.append(path) } }
        for path in paths where !Self.isValid(path) {
            problems.append(
                """
                \(owner) is imported from "\(path)", which is no key path. Write names, joined by single points.
                """)
        }
        return paths.filter(Self.isValid).isEmpty ? [name] : paths.filter(Self.isValid)
    }

    private static func isValid(_ path: String) -> Bool {
        !path.isEmpty && path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }

    /// Returns a Boolean note, `false` if there is none.
    func flag(_ note: ImportNote, problems: inout [String]) -> Bool {
        switch self[note]?.lowercased() {
        case nil, "false", "no", "0": return false
        case "true", "yes", "1": return true
        case let text?:
            problems.append(
                """
                \(owner) has \(note.rawValue) = "\(text)" in its user info, which is neither true nor false. Write true, or \
                remove it.
                """)
            return false
        }
    }

    /// Reports the keys that differ from those of imports only in case, and numbers that are none, since they would have no
    /// effect.
    func reportMisspelledKeys(_ problems: inout [String]) {
        for key in notes.keys.sorted() where ImportNote(key: key) == nil {
            let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let note = ImportNote.allCases.first(where: { $0.rawValue.lowercased() == parts[0].lowercased() })
            else { continue }
            let isNumbered = note == .mappedKeyName && parts.count == 2
            let wanted = isNumbered ? "mappedKeyName.0 to mappedKeyName.9" : note.rawValue
            problems.append("\(owner) has the key \"\(key)\" in its user info. Did you mean \(wanted)?")
        }
    }

    /// Reports notes that make no sense for their owner.
    func report(_ unfit: [ImportNote], because reason: String, problems: inout [String]) {
        for note in unfit where self[note] != nil {
            problems.append("\(owner) has \(note.rawValue) in its user info, but \(reason). Remove it.")
        }
    }
}
