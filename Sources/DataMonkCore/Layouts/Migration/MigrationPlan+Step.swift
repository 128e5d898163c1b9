extension MigrationPlan {
    /// **Value.** One step of a plan. As text, an instruction such as `Add Guest.rank`.
    public struct Step: Sendable, Hashable, CustomStringConvertible {
        /// **Value.** The kind of a step. Open: later versions may add kinds.
        public struct Kind: RawRepresentable, Sendable, Hashable {
            /// The kind as a string.
            public let rawValue: String

            /// Creates a kind from a string.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// An entity is new to the store.
            public static let addedEntity = Kind(rawValue: "addedEntity")
            /// The objects of an entity have no place in the new version, or there are none.
            public static let removedEntity = Kind(rawValue: "removedEntity")
            /// An entity has another name.
            public static let renamedEntity = Kind(rawValue: "renamedEntity")
            /// A property is new.
            public static let addedProperty = Kind(rawValue: "addedProperty")
            /// A property has no place in the new version.
            public static let removedProperty = Kind(rawValue: "removedProperty")
            /// A property has another name.
            public static let renamedProperty = Kind(rawValue: "renamedProperty")
            /// A mapping by hand computes the values of an attribute.
            public static let computedAttribute = Kind(rawValue: "computedAttribute")
            /// The table of an entity and its sub-entities is copied.
            public static let copiedObjects = Kind(rawValue: "copiedObjects")
            /// Rows in the table of an entity and its sub-entities get other values.
            public static let updatedObjects = Kind(rawValue: "updatedObjects")
            /// The links of a relationship are copied.
            public static let copiedLinks = Kind(rawValue: "copiedLinks")
        }

        /// The kind of step.
        public let kind: Kind
        /// The name of the entity: in the old version for what is removed, else in the new one.
        public let entityName: String
        /// The name of the property, in the same version; `nil` if the step concerns the entity.
        public let propertyName: String?
        /// The old name of what is renamed.
        public let sourceName: String?
        /// The number of rows that are read, and written at most; `nil` for a step that costs nothing per object.
        public let rowCount: Int?

        package init(
            _ kind: Kind, _ entityName: String, property propertyName: String? = nil, source sourceName: String? = nil,
            rows rowCount: Int? = nil
        ) {
            self.kind = kind
            self.entityName = entityName
            self.propertyName = propertyName
            self.sourceName = sourceName
            self.rowCount = rowCount
        }

        /// The step as an instruction.
        public var description: String {
            let place = propertyName.map { "\(entityName).\($0)" } ?? entityName
            let rows = rowCount.map { $0 == 1 ? "1 row" : "\($0) rows" } ?? ""
            switch kind {
            case .addedEntity: return "Add the entity \(place)"
            case .removedEntity: return "Remove the entity \(place)"
            case .renamedEntity: return "Rename the entity \(sourceName ?? "") to \(place)"
            case .addedProperty: return "Add \(place)"
            case .removedProperty: return "Remove \(place)"
            case .renamedProperty: return "Rename \(entityName).\(sourceName ?? "") to \(propertyName ?? "")"
            case .computedAttribute: return "Compute \(place)"
            case .copiedObjects: return "Copy the objects of \(place): \(rows)"
            case .updatedObjects: return "Update objects of \(place): at most \(rows)"
            case .copiedLinks: return "Copy the links of \(place): from \(rows)"
            default: return "\(kind.rawValue) \(place)"
            }
        }
    }
}

extension InferredMapping {
    /// The changes of the model, in the order of entities and properties. Inherited properties are listed once.
    package var changes: [MigrationPlan.Step] {
        var steps: [MigrationPlan.Step] = []
        for entity in destination.entities {
            guard let old = source(of: entity) else {
                steps.append(.init(.addedEntity, entity.name))
                continue
            }
            if old.name != entity.name { steps.append(.init(.renamedEntity, entity.name, source: old.name)) }
            steps += changes(of: entity)
        }
        for old in source.entities {
            guard let entity = destination(of: old) else {
                steps.append(.init(.removedEntity, old.name))
                continue
            }
            let kept = Set(entity.properties.compactMap { source(of: $0, in: entity)?.name })
            let read = Set(computations(of: entity).flatMap(\.sources).map(\.name))
            for property in Self.own(old) where !kept.contains(property.name) && !read.contains(property.name) {
                steps.append(.init(.removedProperty, old.name, property: property.name))
            }
        }
        return steps
    }

    private func changes(of entity: Entity) -> [MigrationPlan.Step] {
        let computed = Set(computations(of: entity).map(\.attribute.name))
        return Self.own(entity).compactMap { property in
            if computed.contains(property.name) {
                return .init(.computedAttribute, entity.name, property: property.name)
            }
            guard let past = source(of: property, in: entity) else {
                return .init(.addedProperty, entity.name, property: property.name)
            }
            if past.name == property.name { return nil }
            return .init(.renamedProperty, entity.name, property: property.name, source: past.name)
        }
    }

    /// Returns the stored properties that an entity does not inherit.
    private static func own(_ entity: Entity) -> [Entity.Property] {
        entity.properties.filter { property in
            !property.isTransient && entity.superentity?.propertiesByName[property.name] == nil
        }
    }
}
