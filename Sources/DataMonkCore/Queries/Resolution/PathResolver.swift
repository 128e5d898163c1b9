/// **Value.** Follows key paths from one entity.
struct PathResolver {
    let entity: Entity
    /// The object whose properties the paths read first.
    var start = ResolvedPath.Start.object

    /// The functions of the collection operators, except `@count`.
    static let collectionOperators: [Substring: FetchRequest.Selection.Function] = [
        "@sum": .sum, "@avg": .average, "@min": .minimum, "@max": .maximum,
    ]

    /// Returns the path that a string of names describes.
    ///
    /// - Throws: ``FetchError`` naming entity and key, with the nearest correct name.
    func resolve(_ keyPath: String) throws(FetchError) -> ResolvedPath {
        // The most common case takes one lookup and no splitting.
        if case .attribute(let attribute)? = entity.propertiesByName[keyPath], !attribute.isCodable {
            return ResolvedPath(attribute, of: entity, start: start)
        }
        var walk = Walk(entity: entity, keyPath: keyPath, origin: start)
        return try walk.finish(keyPath.split(separator: ".", omittingEmptySubsequences: false)[...])
    }
}

extension PathResolver {
    /// **Value.** The state of following a path.
    private struct Walk {
        let start: Entity
        let keyPath: String
        let origin: ResolvedPath.Start
        var current: Entity
        var steps: [Entity.Relationship] = []

        init(entity: Entity, keyPath: String, origin: ResolvedPath.Start) {
            start = entity
            current = entity
            self.keyPath = keyPath
            self.origin = origin
        }

        mutating func finish(_ names: ArraySlice<Substring>) throws(FetchError) -> ResolvedPath {
            guard names.count <= Self.maximumSteps else { throw tooLong }
            var rest = names
            while let name = rest.popFirst() {
                if name.first == "@" { return try collectionOperator(name, rest: rest) }
                switch current.propertiesByName[String(name)] {
                case .attribute(let attribute)? where attribute.isCodable:
                    return path(try member(of: attribute, at: rest))
                case .attribute(let attribute)?:
                    if rest.isEmpty { return path(.attribute(attribute)) }
                    guard rest.count == 1, let last = rest.last, let element = attribute.element(named: last) else {
                        throw goesOn(after: attribute, to: rest)
                    }
                    return path(.attribute(element))
                case .relationship(let relationship)?:
                    steps.append(relationship)
                    current = relationship.destination
                case nil where name == "entity":
                    // `entity.name` means the same: conditions know an entity by its name.
                    guard rest.isEmpty || rest == ["name"] else { throw unknown(rest.last ?? name) }
                    return path(.entityName)
                case nil:
                    guard isSelf(name) else { throw unknown(name) }
                }
            }
            return path(.object)
        }

        /// The maximum number of relationships in a path. No sensible path crosses more, and SQLite joins at most 64
        /// tables.
        private static let maximumSteps = 32

        private func path(_ terminal: ResolvedPath.Terminal) -> ResolvedPath {
            ResolvedPath(entity: start, steps: steps, terminal: terminal, start: origin)
        }

        /// Returns the value in a codable attribute's JSON that the rest of the path names.
        private func member(
            of attribute: Entity.Attribute, at rest: ArraySlice<Substring>
        ) throws(FetchError) -> ResolvedPath.Terminal {
            if rest == ["@json"] { return .attribute(attribute) }
            let isCount = rest.last == "@count"
            let names = (isCount ? rest.dropLast() : rest).map(String.init)
            for name in names {
                if name.first == "@" {
                    throw operatorError("\(name) cannot follow a value in JSON. Only @count can.")
                }
                // SQLite's paths cannot spell these.
                guard !name.isEmpty, !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
                    throw operatorError(
                        """
                        A name in JSON must not be empty nor contain quotation marks, backslashes or control characters. \
                        Filter the fetched objects instead.
                        """)
                }
            }
            return .member(ResolvedMember(attribute: attribute, names: names, form: isCount ? .count : .value))
        }

        private func isSelf(_ name: Substring) -> Bool { name == "self" || name == "SELF" }

        private func collectionOperator(
            _ name: Substring, rest: ArraySlice<Substring>
        ) throws(FetchError) -> ResolvedPath {
            let function = PathResolver.collectionOperators[name]
            guard name == "@count" || function != nil else {
                throw operatorError("There is no operator \(name). Use @count, @sum, @avg, @min or @max.")
            }
            guard (function == nil) == rest.isEmpty else {
                throw operatorError(
                    rest.isEmpty
                        ? "\(name) must be followed by an attribute of the objects."
                        : "@count ends a key path. Remove the keys that follow it.")
            }
            if steps.isEmpty, origin == .object { throw FetchError.fetchedAggregate(keyPath, of: start) }
            guard steps.last?.isToMany == true, steps.dropLast().allSatisfy({ !$0.isToMany }) else {
                throw FetchError(
                    .invalidKeyPath,
                    """
                    "\(keyPath)": \(name) must follow a to-many relationship, with no other to-many relationship \
                    before it.
                    """,
                    entityName: start.name, keyPath: keyPath)
            }
            guard let function else { return path(.count) }
            var inner = Walk(entity: current, keyPath: keyPath, origin: .member)
            let value = try inner.finish(rest)
            if value.kind == .json {
                throw operatorError("\(name) cannot be computed of values in JSON, whose type only the data knows.")
            }
            guard !value.isCollection, value.attribute != nil else {
                throw operatorError("\(name) must be followed by an attribute of the objects.")
            }
            guard function == .minimum || function == .maximum ? value.kind.isOrdered : value.kind.isNumeric else {
                throw FetchError(
                    .notComparable, "\"\(keyPath)\": \(name) cannot be computed for \(value.kind.name).",
                    entityName: start.name,
                    keyPath: keyPath)
            }
            return path(.aggregate(function, value))
        }

        private var tooLong: FetchError {
            FetchError(
                .invalidKeyPath, "A key path can have at most \(Self.maximumSteps) keys.", entityName: start.name,
                keyPath: keyPath)
        }

        private func operatorError(_ message: String) -> FetchError {
            FetchError(.invalidKeyPath, "\"\(keyPath)\": \(message)", entityName: start.name, keyPath: keyPath)
        }

        private func goesOn(after attribute: Entity.Attribute, to rest: ArraySlice<Substring>) -> FetchError {
            FetchError(
                .invalidKeyPath,
                """
                "\(keyPath)": \(current.name).\(attribute.name) is an attribute, so "\(rest.joined(separator: "."))" \
                cannot follow it.
                """,
                entityName: start.name, keyPath: keyPath)
        }

        private func unknown(_ name: Substring) -> FetchError {
            FetchError.unknownKey(String(name), of: current, keyPath: keyPath)
        }
    }
}

extension FetchError {
    /// Returns the error for a key that an entity does not have.
    static func unknownKey(_ name: String, of entity: Entity, keyPath: String) -> FetchError {
        let place = name == keyPath ? "" : " (in \"\(keyPath)\")"
        let nearest = NearestName.find(name, among: entity.propertiesByName.keys)
        let hint =
            KeyNames.isUnnamed(name)
            ? KeyNames.remedy
            : nearest.map { "Did you mean \"\($0)\"?" } ?? "The model's entity \(entity.name) lists its keys."
        return FetchError(
            .unknownKey, "\(entity.name) has no property \"\(name)\"\(place). \(hint)", entityName: entity.name,
            keyPath: keyPath)
    }
}
