import DataMonkCore

/// **Value.** The properties that an export writes of each entity it meets: those that an import would read, by the names that
/// it looks for.
struct ExportPlan: Sendable {
    /// **Value.** The way in which the objects of one entity are written.
    struct Form: Sendable {
        let mapping: ImportMapping
        var properties: [Property]
        /// The attributes that tell the entity's objects apart; `nil` if there are none.
        let keys: [ImportedAttribute]?
        /// The keys that several objects have, of objects that others lead to.
        var sharedKeys: Set<ImportKey> = []

        /// Indicates whether an import makes the objects again that are written inside of others.
        var isNestable: Bool {
            if case .ambiguous = mapping.identity { return false }
            return !mapping.entity.isAbstract
        }
    }

    enum Property: Sendable {
        case attribute(ImportedAttribute)
        case relationship(ImportedRelationship)

        /// The name that a row has it by.
        var name: String {
            switch self {
            case .attribute(let imported): imported.path.description
            case .relationship(let imported): imported.path.description
            }
        }

        fileprivate var relationship: ImportedRelationship? {
            guard case .relationship(let imported) = self else { return nil }
            return imported
        }

        fileprivate var property: (entity: Entity, name: String) {
            switch self {
            case .attribute(let imported): (imported.attribute.entity, imported.attribute.name)
            case .relationship(let imported): (imported.relationship.entity, imported.relationship.name)
            }
        }

        fileprivate var fullName: String { "\(property.entity.name).\(property.name)" }
    }

    /// The forms of all entities, at the positions that relationships name. That of the rows, which may have fewer properties
    /// than other objects of their entity, comes last.
    private(set) var forms: [Form]
    /// The position of the form of the rows.
    let rowForm: Int
    private(set) var omitted: [String] = []
    let depth: Int

    /// - Throws: ``ImportError`` with the code `invalidMapping` if the user info of the model says what cannot be;
    ///   ``FormatError`` for a property that cannot be written; ``/DataMonkCore/FetchError`` for one that there is not.
    init(_ entity: Entity, in model: ManagedObjectModel, options: ExportOptions) throws {
        precondition(options.depth >= 0, "The depth is negative")
        var builder = ImportPlanBuilder(model: model)
        _ = builder.mapping(of: .init(entity: entity, keyNames: nil))
        guard builder.problems.isEmpty else {
            throw ImportError(.invalidMapping, builder.problems.joined(separator: "\n"), entityName: entity.name)
        }
        // No import would read the rows.
        if case .ambiguous(let error) = builder.mappings[0].identity { throw error }
        if entity.isAbstract { throw FormatError.abstractRows(entity) }
        depth = options.depth
        forms = builder.mappings.map { mapping in
            var keys: [ImportedAttribute]?
            if case .key(let positions, _) = mapping.identity { keys = positions.map { mapping.attributes[$0] } }
            let properties =
                mapping.attributes.map(Property.attribute) + mapping.relationships.map(Property.relationship)
            return Form(mapping: mapping, properties: properties, keys: keys)
        }
        rowForm = forms.count
        forms.append(forms[0])
        if let names = options.properties { forms[rowForm].properties = try choose(names) }
        let whole = self
        if case .csv = options.format {
            try reduce(isChosen: options.properties != nil) { whole.problemInTable(of: $0) }
            try requireDistinctNames(in: [rowForm])
        } else {
            try requireImportableDepth()
            try reduce(isChosen: options.properties != nil) { whole.problem(of: $0, atLevel: 0) }
            let levels = formsByLevel
            noteOmissions(atLastLevel: levels[depth])
            try requireDistinctNames(in: levels.reduce([]) { $0.union($1) })
        }
        if forms[rowForm].properties.isEmpty { throw FormatError.nothingToExport(of: entity) }
    }

    /// Returns `true` if a relationship is written of an object at a level: its objects are nested, or have keys.
    func writes(_ relationship: ImportedRelationship, atLevel level: Int) -> Bool {
        forms[relationship.mapping].keys != nil || level < depth && forms[relationship.mapping].isNestable
    }

    /// The mapping of the rows, if they have the key that tells them apart.
    var mappingOfKeyedRows: ImportMapping? {
        guard let keys = forms[rowForm].keys else { return nil }
        let names = forms[rowForm].properties.map(\.property.name)
        return keys.allSatisfy { names.contains($0.attribute.name) } ? forms[rowForm].mapping : nil
    }

    /// The positions of the forms of objects without a key that may be met in several places. An import would make one of
    /// them for each place.
    var formsOfSharedObjects: Set<Int> { formsInSeveralPlaces.filter { forms[$0].keys == nil } }

    /// The positions of the forms of objects that may be written several times, in several places or inside of others that
    /// are.
    var formsOfRepeatedObjects: Set<Int> {
        var repeated = formsInSeveralPlaces
        while true {
            let nested = repeated.flatMap { forms[$0].properties }.compactMap(\.relationship?.mapping)
            let all = repeated.union(positions(ofHierarchiesOf: nested))
            if all == repeated { return repeated }
            repeated = all
        }
    }

    /// The positions of the forms that have an object in common with one of some forms: those of the same hierarchy of
    /// entities, since `className` may give a sub-entity's objects forms of their own.
    private func positions(ofHierarchiesOf positions: some Sequence<Int>) -> Set<Int> {
        let roots = Set(positions.map { ObjectIdentifier(forms[$0].mapping.entity.root) })
        return Set(forms.indices.filter { roots.contains(ObjectIdentifier(forms[$0].mapping.entity.root)) })
            .subtracting([rowForm])
    }

    private var formsInSeveralPlaces: Set<Int> {
        let outer = Set(formsByLevel.prefix(depth).joined())
        let steps = outer.flatMap { form in
            forms[form].properties.compactMap(\.relationship).map { (form: form, imported: $0) }
        }
        let ways = Dictionary(grouping: steps, by: \.imported.mapping)
        func hierarchy(_ form: Int) -> ObjectIdentifier { ObjectIdentifier(forms[form].mapping.entity.root) }
        // The rows are a place as well.
        var places = [hierarchy(0): 1]
        for (form, imported) in steps {
            let inverse = imported.relationship.inverse
            // Of objects that are written inside of others by its inverse alone, it leads to the one around them.
            let isImplied =
                form != rowForm && form != 0 && !imported.relationship.isToMany
                && ways[form]?.allSatisfy { $0.imported.relationship == inverse } == true
            if !isImplied { places[hierarchy(imported.mapping), default: 0] += inverse?.isToMany == false ? 1 : 2 }
        }
        return Set(forms.indices.filter { $0 != rowForm && places[hierarchy($0), default: 0] > 1 })
    }

    // MARK: Choice

    private func choose(_ names: [String]) throws -> [Property] {
        try names.map { name in
            if let property = forms[0].properties.first(where: { $0.property.name == name }) { return property }
            let entity = forms[0].mapping.entity
            guard entity.propertiesByName[name] != nil else { throw FetchError.unknownProperty(name, of: entity) }
            throw FormatError(
                .unsupportedExport,
                "\(entity.name).\(name) is derived or transient, so an import could not set it. Leave it out.",
                key: name)
        }
    }

    /// Notes the keys that several of the objects have that others are written to lead to: an import would take them for one.
    mutating func findSharedKeys(in context: ManagedObjectContext) throws {
        let outer = Set(formsByLevel.joined())
        for position in Set(outer.flatMap { forms[$0].properties }.compactMap(\.relationship?.mapping)).sorted() {
            let entity = forms[position].mapping.entity
            guard let names = forms[position].keys?.map(\.attribute.name) else { continue }
            try Task.checkCancellation()
            if entity.uniquenessConstraints.contains(where: { Set($0).isSubset(of: names) }) { continue }
            var request = FetchRequest(entityName: entity.name)
            request.resultType = .dictionaries
            request.propertiesToFetch =
                names.enumerated().map { .init($1, alias: "key\($0)") } + [.init(.count, of: "self", alias: "count")]
            request.propertiesToGroupBy = names
            request.havingCondition = .compare("count", .greaterThan, 1)
            for row in try context.values(request) {
                guard let key = ImportKey(ofEach: Array(names.indices), { ImportKey(row[$0]) }) else { continue }
                forms[position].sharedKeys.insert(key)
            }
        }
    }

    private mutating func reduce(isChosen: Bool, _ problem: (Property) -> String?) throws {
        for property in forms[rowForm].properties {
            guard let problem = problem(property) else { continue }
            if isChosen { throw FormatError(.unsupportedExport, problem, key: property.property.name) }
            omitted.append(property.fullName)
        }
        forms[rowForm].properties.removeAll { problem($0) != nil }
    }

    private func problem(of property: Property, atLevel level: Int) -> String? {
        guard case .relationship(let imported) = property, !writes(imported, atLevel: level) else { return nil }
        let form = forms[imported.mapping]
        if form.isNestable {
            return """
                \(property.fullName) leads to objects without a key. Name an attribute by relatedByAttribute in the user info, \
                or write them inside of others, by a depth.
                """
        }
        return """
            \(property.fullName) leads to objects that no import can \(form.mapping.entity.isAbstract ? "make" : "tell apart"). \
            Name an attribute of \(form.mapping.entity.name) by relatedByAttribute in the user info.
            """
    }

    private func problemInTable(of property: Property) -> String? {
        switch property {
        case .attribute(let imported):
            imported.attribute.type == .composite
                ? "\(property.fullName) is a composite attribute, which no cell has. Export to JSON." : nil
        case .relationship(let imported):
            imported.relationship.isToMany || forms[imported.mapping].keys?.count != 1
                ? """
                \(property.fullName) leads to several objects, or to one without a single key, which no cell has. Export to \
                JSON.
                """ : nil
        }
    }

    // MARK: Nested objects

    private func requireImportableDepth() throws {
        if depth <= ExportOptions.maximumDepth { return }
        throw FormatError(
            .unsupportedExport,
            """
            Objects are to be nested \(depth) deep, but an import follows no more than \(ExportOptions.maximumDepth) levels. \
            Choose a smaller depth.
            """)
    }

    /// The forms of the rows, of the objects in them, and so on, to the depth.
    private var formsByLevel: [Set<Int>] {
        var levels: [Set<Int>] = [[rowForm]]
        while levels.count <= depth {
            let next = (levels.last ?? []).flatMap { position in
                forms[position].properties.compactMap { property -> Int? in
                    guard case .relationship(let imported) = property, forms[imported.mapping].isNestable else {
                        return nil
                    }
                    return imported.mapping
                }
            }
            levels.append(Set(next))
        }
        return levels
    }

    /// Lists what is not written of the innermost objects: those outside of them have theirs inside, with a key or not.
    private mutating func noteOmissions(atLastLevel positions: Set<Int>) {
        for position in positions.sorted() {
            for property in forms[position].properties where problem(of: property, atLevel: depth) != nil {
                if !omitted.contains(property.fullName) { omitted.append(property.fullName) }
            }
        }
    }

    /// Names are the ones that an import looks for, which model or options may give to several properties.
    private func requireDistinctNames(in positions: Set<Int>) throws {
        for position in positions.sorted() {
            var known: [String: Property] = [:]
            for property in forms[position].properties {
                guard let other = known.updateValue(property, forKey: property.name) else { continue }
                throw FormatError.sameName(property.name, of: other.fullName, and: property.fullName)
            }
        }
    }
}

extension ImportedRelationship {
    /// The relationship that leads from a nested object back to the one around it, which the nesting itself says.
    var impliedRelationship: Entity.Relationship? { relationship.inverse.flatMap { $0.isToMany ? nil : $0 } }
}

extension FormatError {
    fileprivate static func nothingToExport(of entity: Entity) -> FormatError {
        FormatError(
            .unsupportedExport,
            """
            Nothing of \(entity.name) would be written. Name a property that the format can have, or pass nil for all of them.
            """)
    }

    fileprivate static func abstractRows(_ entity: Entity) -> FormatError {
        FormatError(
            .unsupportedExport,
            """
            \(entity.name) is abstract, so no import could make objects of its rows. Export its sub-entities, one by one.
            """)
    }

    fileprivate static func sameName(_ name: String, of first: String, and second: String) -> FormatError {
        FormatError(
            .unsupportedExport,
            first == second
                ? "\(first) is named twice, and no import reads that. Name it once."
                : """
                \(first) and \(second) have the same name in a row, "\(name)", so an import would refuse it. Name one of \
                them in properties, or change its mappedKeyName.
                """, key: name)
    }
}

extension FetchError {
    fileprivate static func unknownProperty(_ name: String, of entity: Entity) -> FetchError {
        FetchError(
            .unknownKey, "\(entity.name) has no property \"\(name)\". Name a persistent property of the entity.",
            entityName: entity.name, keyPath: name)
    }
}
