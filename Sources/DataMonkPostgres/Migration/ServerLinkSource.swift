#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** The links of an old relationship, as a source of those of a new one.
    struct ServerLinkSource {
        /// The relationship, as the old version declares it.
        let relationship: Entity.Relationship
        /// Indicates whether the owners are the objects that the old relationship leads to.
        let isReversed: Bool
        /// The old entities of owners that have the relationship in the new version. A link stays where one of its ends has it.
        var owners: Set<Entity> = []
        /// The old entities of elements that have the inverse in the new version.
        var elements: Set<Entity> = []

        private let succession: ServerSuccession

        init(_ relationship: Entity.Relationship, isReversed: Bool, in succession: ServerSuccession) {
            self.relationship = relationship
            self.isReversed = isReversed
            self.succession = succession
        }

        private var ownerEnd: Entity { isReversed ? relationship.destination : relationship.entity }
        private var elementEnd: Entity { isReversed ? relationship.entity : relationship.destination }

        /// A Boolean value indicating whether all links between objects that are kept stay.
        var isWhole: Bool {
            succession.objects(of: ownerEnd).kept.allSatisfy(owners.contains)
                || succession.objects(of: elementEnd).kept.allSatisfy(elements.contains)
        }

        /// Returns a query for the links, `owner` and `element`, with their positions, `rank` and `inverse_rank`; `nil` if there
        /// are none.
        var query: String? {
            let (keptOwners, keptElements) = (
                succession.objects(of: ownerEnd).kept, succession.objects(of: elementEnd).kept
            )
            var holders: [String] = []
            if !isWhole {
                holders = [("o", owners), ("e", elements)].filter { !$0.1.isEmpty }
                    .map { "\($0).\"_entity\" IN (\(succession.list(Array($1))))" }
            }
            return query(from: keptOwners, to: keptElements, where: holders)
        }

        /// Returns a query for the links between objects of `owners` and of some entities.
        func query(onlyTo elements: Set<Entity>) -> String? {
            query(from: Array(owners), to: Array(elements), where: [])
        }

        /// - Parameter holders: Conditions one of which has to be true, if there are any.
        private func query(from owners: [Entity], to elements: [Entity], where holders: [String]) -> String? {
            guard var place = place, !owners.isEmpty, !elements.isEmpty else { return nil }
            if isReversed {
                swap(&place.owner, &place.element)
                swap(&place.rank, &place.inverseRank)
            }
            var conditions = [
                "o.\"_entity\" IN (\(succession.list(owners)))", "e.\"_entity\" IN (\(succession.list(elements)))",
            ]
            if !holders.isEmpty { conditions.append("(\(holders.joined(separator: " OR ")))") }
            return """
                SELECT s.\(place.owner) AS owner, s.\(place.element) AS element, s.\(place.rank ?? place.element) AS rank, \
                s.\(place.inverseRank ?? place.owner) AS inverse_rank FROM \(place.table) s \
                JOIN \(succession.table(of: ownerEnd)) o ON o."_id" = s.\(place.owner) \
                JOIN \(succession.table(of: elementEnd)) e ON e."_id" = s.\(place.element) \
                WHERE \(conditions.joined(separator: " AND "))
                """
        }

        /// **Value.** The columns of links, quoted.
        private struct Place {
            let table: String
            var owner: String
            var element: String
            var rank: String?
            var inverseRank: String?
        }

        /// The columns of the old relationship's links, seen from its own owners.
        private var place: Place? {
            let namespace = succession.old.namespace
            let inverse = relationship.storedInverse.flatMap { $0 === relationship ? nil : storage(of: $0) }
            switch storage(of: relationship) {
            case .toOne(let key, _):
                var rank: String?
                if case .toMany(let toMany)? = inverse { rank = toMany.order?.identifier }
                return Place(
                    table: succession.table(of: relationship.entity), owner: "\"_id\"", element: key.identifier,
                    inverseRank: rank)
            case .toMany(let toMany):
                return Place(
                    table: namespace.qualified(toMany.tableName), owner: toMany.owner.identifier, element: "\"_id\"",
                    rank: toMany.order?.identifier)
            case .links(let links):
                var rank: String?
                if case .links(let others)? = inverse { rank = others.order?.identifier }
                return Place(
                    table: namespace.qualified(links.tableName), owner: links.owner.identifier,
                    element: links.element.identifier, rank: links.order?.identifier, inverseRank: rank)
            case .none, .value, .composite: return nil
            }
        }

        private func storage(of relationship: Entity.Relationship) -> ServerStorage {
            succession.old.place(of: relationship.entity)?.storage[relationship.slot] ?? .none
        }
    }
#endif
