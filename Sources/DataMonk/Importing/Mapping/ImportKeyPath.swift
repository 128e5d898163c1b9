import DataMonkCore

/// **Value.** The places in a row from which a property is imported: names, or paths of names joined by points. The first
/// one that the row has counts.
struct ImportKeyPath: Sendable {
    /// **Value.** One place.
    private struct Path: Sendable {
        /// The path as it is written. A row with such a name has the value there: a column of CSV may be named `user.id`.
        let name: String
        /// The parts of the path, if it has several.
        let parts: [String]
    }

    private let first: Path
    private let others: [Path]

    /// - Parameter paths: At least one, each valid.
    init(_ paths: [String]) {
        let all = paths.map { Path(name: $0, parts: $0.contains(".") ? $0.split(separator: ".").map(String.init) : []) }
        first = all[0]
        others = Array(all.dropFirst())
    }

    /// The first place, for messages.
    var description: String { first.name }

    /// Indicates whether there is one place only, and it is a name.
    var isName: Bool { first.parts.isEmpty && others.isEmpty }

    /// The names in a row that the places begin with, or are.
    var topNames: [String] { ([first] + others).flatMap { [$0.name] + $0.parts.prefix(1) } }

    /// The names in a row whose values the property takes as they are.
    var wholeNames: [String] { ([first] + others).map(\.name) }

    /// Returns the value in a row that is on the way to the property's, and has no names, with its path; `nil` if there is none.
    ///
    /// - Parameter wholeNames: Paths whose values are other properties'.
    func obstacle(
        in values: [String: ManagedValue], besides wholeNames: Set<String>
    ) -> (name: String, value: ManagedValue)? {
        for path in [first] + others {
            var values = values
            for (position, name) in path.parts.enumerated() {
                guard let value = values[name], !value.isNull else { break }
                guard case .dictionary(let inner) = value else {
                    let name = path.parts[...position].joined(separator: ".")
                    if wholeNames.contains(name) { break }
                    return (name, value)
                }
                values = inner
            }
        }
        return nil
    }

    /// Returns the value in a row, or `nil` if the row has none. Null on the way to it is null.
    @inline(__always)
    func value(in values: [String: ManagedValue]) -> ManagedValue? {
        if let value = values[first.name] { return value }
        if first.parts.isEmpty, others.isEmpty { return nil }
        return laterValue(in: values)
    }

    @inline(never)
    private func laterValue(in values: [String: ManagedValue]) -> ManagedValue? {
        for path in [first] + others {
            if let value = values[path.name] { return value }
            if let value = Self.value(at: path.parts[...], in: values) { return value }
        }
        return nil
    }

    private static func value(at parts: ArraySlice<String>, in values: [String: ManagedValue]) -> ManagedValue? {
        guard let name = parts.first, let value = values[name] else { return nil }
        if parts.count == 1 || value.isNull { return value }
        guard case .dictionary(let inner) = value else { return nil }
        return Self.value(at: parts.dropFirst(), in: inner)
    }
}
