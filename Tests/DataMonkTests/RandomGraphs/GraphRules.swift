import DataMonk

/// What the model of the random graphs asks of objects that are saved, in plain words.
enum GraphRules {
    /// The largest `a` of a seal.
    static let largest: Int64 = 5

    /// The codes of everything that is wrong with an object's own values.
    static func problems(_ row: ReferenceRow) -> [SaveError.Code] {
        guard row.kind == "Seal" else { return [] }
        var problems: [SaveError.Code] = []
        if row.toOnes["keeper"] == nil { problems.append(.missingMandatoryProperty) }
        if case .int(let value)? = row.values["a"], value > largest { problems.append(.numberTooLarge) }
        return problems
    }

    /// Whether two objects have the same unique value.
    static func hasDuplicates(_ graph: ReferenceGraph) -> Bool {
        let codes = graph.rows.values.compactMap { row -> String? in
            guard row.kind == "Seal", case .string(let code)? = row.values["code"] else { return nil }
            return code
        }
        return Set(codes).count != codes.count
    }

    /// What the model gives a new object.
    static func defaults(_ kind: String, _ attributes: [String]) -> [String: ManagedValue] {
        Dictionary(
            uniqueKeysWithValues: attributes.map { key in
                (key, key == "a" && kind != "Chest" ? 0 : key == "rank" ? 1 : ManagedValue.null)
            })
    }

    /// The relationship that a new object is put to at once, because it may not be saved without.
    static func mandatoryRelation(_ kind: String) -> String? { kind == "Seal" ? "keeper" : nil }
}
