extension ModelValidator {
    /// Fills `ancestors`, and reports unknown superentities, cycles, and trees that are too deep.
    mutating func checkInheritance() {
        for position in entities.indices {
            let entity = entities[position]
            guard let name = entity.superentityName else { continue }
            guard positions[name] != nil else {
                let hint = suggestion(for: name, among: positions.keys)
                report(
                    .unknownSuperentity, in: entity.name, property: nil,
                    message: "Its superentity \(name) does not exist.\(hint) Add it, or inherit from another one.")
                continue
            }
            var path: [Int] = []
            var next = positions[name]
            while let place = next, place != position, !path.contains(place), path.count <= Self.maximumDepth {
                path.append(place)
                next = entities[place].superentityName.flatMap { positions[$0] }
            }
            if let next, next != position, path.contains(next) { continue }  // The members of that cycle report it.
            if next == position {
                let names = ([position] + path + [position]).map { entities[$0].name }.joined(separator: " -> ")
                report(
                    .inheritanceCycle, in: entity.name, property: nil,
                    message: "It inherits from itself: \(names). Remove one of these superentities.")
            } else if path.count > Self.maximumDepth {
                report(
                    .tooMany, in: entity.name, property: nil,
                    message: "It has more than \(Self.maximumDepth) superentities. Flatten the inheritance tree."
                )
            } else {
                ancestors[position] = path
            }
        }
    }

    /// Checks the number of properties, before anything is done for each.
    ///
    /// - Throws: `ModelError` with all problems so far.
    mutating func checkTotal() throws(ModelError) {
        let total = entities.indices.reduce(0) { sum, position in
            ancestors[position].reduce(sum + entities[position].properties.count) { $0 + entities[$1].properties.count }
        }
        guard total > Self.maximumTotalPropertyCount else { return }
        report(
            .tooMany, in: nil, property: nil,
            message: """
                With inherited ones its entities have \(total) properties, but the maximum is \
                \(Self.maximumTotalPropertyCount). Flatten the inheritance tree, or split the model.
                """)
        throw ModelError(problems: problems)
    }

    /// Checks properties that a superentity declares too.
    mutating func checkOverrides() {
        for position in entities.indices where !ancestors[position].isEmpty {
            var inherited: [String: PropertyDescription] = [:]
            for place in ancestors[position].reversed() {
                for property in entities[place].properties { inherited[property.name.uppercased()] = property }
            }
            let entity = entities[position]
            var count = inherited.count
            for property in entity.properties {
                guard let above = inherited[property.name.uppercased()] else {
                    count += 1
                    continue
                }
                if above.name != property.name {
                    reportCaseCollision(in: entity.name, of: property.name, with: above.name)
                } else if let difference = difference(of: property, from: above) {
                    report(
                        .incompatibleOverride, in: entity.name, property: property.name,
                        message:
                            "A superentity declares it with a different \(difference). Make both the same, or rename one."
                    )
                }
            }
            if count > Self.maximumPropertyCount, entity.properties.count <= Self.maximumPropertyCount {
                report(
                    .tooMany, in: entity.name, property: nil,
                    message:
                        "With inherited ones it has \(count) properties, but the maximum is \(Self.maximumPropertyCount)."
                )
            }
        }
    }

    /// Returns the difference that prevents a sub-entity's property from overriding an inherited one, or `nil` if there is
    /// none.
    private func difference(of property: PropertyDescription, from above: PropertyDescription) -> String? {
        switch (property, above) {
        case (.attribute(let own), .attribute(let inherited)):
            if own.type != inherited.type { return "type" }
            if own.isTransient != inherited.isTransient { return "transience" }
            if own.isCodable != inherited.isCodable { return "form of JSON" }
            if own.derivationExpression != inherited.derivationExpression || own.isDerived != inherited.isDerived {
                return "derivation"
            }
            if own.elements != inherited.elements { return "set of elements" }
        case (.relationship(let own), .relationship(let inherited)):
            if own.isToMany != inherited.isToMany { return "cardinality" }
            if own.isOrdered != inherited.isOrdered { return "order" }
            if own.isTransient != inherited.isTransient { return "transience" }
            if own.destinationEntityName != inherited.destinationEntityName { return "destination" }
        case (.fetched, .fetched):
            break
        default:
            return "kind"
        }
        return nil
    }
}
