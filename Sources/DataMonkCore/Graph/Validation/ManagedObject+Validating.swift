extension ManagedObject {
    /// Validates every property: the default implementation of `validateForInsert` and `validateForUpdate`.
    final nonisolated func validateProperties() throws {
        let plan = home.layout.validation
        if let row, plan.isPlainlyMet(by: row) { return }
        var problems: [ValidationProblem] = []
        var refused = SlotSet()
        if plan.asksForValues { askForValues(into: &problems, refused: &refused) }
        checkValues(by: plan, into: &problems, except: refused)
        if !plan.countedToManys.isEmpty { checkCounts(by: plan, into: &problems) }
        if let error = ValidationProblem.error(for: problems) { throw error }
    }

    /// Validates the values to be stored, without calling the class's hooks and without counting members.
    final nonisolated func validateStoredValues() throws {
        var problems: [ValidationProblem] = []
        checkValues(by: home.layout.validation, into: &problems, except: SlotSet())
        if let error = ValidationProblem.error(for: problems) { throw error }
    }

    /// Checks that no relationship denies the deletion: the default implementation of `validateForDelete`.
    final nonisolated func validateDeletion() throws {
        var problems: [ValidationProblem] = []
        for relationship in home.layout.relationships where relationship.deleteRule == .deny {
            let left = try livingContext.graph.readDestinations(byRuleOf: relationship, from: self).filter {
                !$0.isDeleted
            }
            if left.isEmpty { continue }
            problems.append(
                ValidationProblem(
                    .relationshipDeniedDelete, of: self, key: relationship.name,
                    message: """
                        \(entity.name) cannot be deleted while its \(relationship.name) relationship has \(left.count) \
                        objects. Delete or move those first.
                        """))
        }
        if let error = ValidationProblem.error(for: problems) { throw error }
    }

    /// Validates a value against the model: the default implementation of `validateValue`.
    final nonisolated func validate(_ value: ManagedValue, of property: Entity.Property) throws {
        var problems: [ValidationProblem] = []
        if value.isNull {
            if home.layout.validation.mandatorySlots.contains(property.slot) {
                problems.append(missing(property.slot))
            }
        } else if let attribute = property.attribute {
            guard attribute.accepts(value) else { throw FetchError.wrongValue(value, for: attribute, of: entity) }
            if value.isNotStorable {
                problems.append(notStorable(property.slot))
            } else {
                home.layout.validation.rules(at: attribute.slot)?.check(value, of: self, into: &problems)
            }
        }
        if let error = ValidationProblem.error(for: problems) { throw error }
    }

    // MARK: Steps

    /// Lets the class validate each value, and adopts the values that it changes.
    private nonisolated func askForValues(into problems: inout [ValidationProblem], refused: inout SlotSet) {
        guard row != nil else { return }
        for property in entity.properties {
            if property.relationship?.isToMany == true || property.attribute?.isDerived == true { continue }
            do {
                let old = try value(forKey: property.name)
                var value = old
                try validateValue(&value, forKey: property.name)
                // NaN is not equal to itself: it is kept, and refused below.
                if value != old, !value.isNotStorable { try setValue(value, forKey: property.name) }
            } catch {
                problems += ValidationProblem.all(of: error, self, key: property.name)
                refused.insert(property.slot)
            }
        }
    }

    private nonisolated func checkValues(
        by plan: ValidationPlan, into problems: inout [ValidationProblem], except refused: SlotSet
    ) {
        guard let row else { return }
        var refused = refused
        for slot in plan.mandatorySlots where RowFormat.isNull(in: row, at: slot) && !refused.contains(slot) {
            problems.append(missing(slot))
        }
        func refuse(_ slots: [Int], where isNotStorable: (Int) -> Bool) {
            for slot in slots where isNotStorable(slot) && !refused.contains(slot) {
                problems.append(notStorable(slot))
                refused.insert(slot)
            }
        }
        refuse(plan.floatingSlots) { Double(bitPattern: RowFormat.word(in: row, at: $0)).isNaN }
        refuse(plan.dateSlots) { !Double(bitPattern: RowFormat.word(in: row, at: $0)).isFinite }
        refuse(plan.decimalSlots) { RowFormat.bytes(in: row, at: $0).first == UInt8(ascii: "N") }
        for rules in plan.rules where !refused.contains(rules.attribute.slot) {
            if RowFormat.isNull(in: row, at: rules.attribute.slot) { continue }
            rules.check(rules.attribute.value(in: row, of: self), of: self, into: &problems)
        }
    }

    private nonisolated func missing(_ slot: Int) -> ValidationProblem {
        let name = entity.properties[slot].name
        return ValidationProblem(
            .missingMandatoryProperty, of: self, key: name,
            message: """
                \(entity.name).\(name) has no value, but the model requires one. Set it before the commit, give it a \
                default value, or declare it optional.
                """)
    }

    /// Returns the problem of a value that a store cannot represent: it would be missing from the file, but stay in memory.
    private nonisolated func notStorable(_ slot: Int) -> ValidationProblem {
        let property = entity.properties[slot]
        let isDate = property.attribute?.type == .date
        let problem =
            switch property.attribute?.type {
            case .date?: "is not a valid date, because its seconds are infinite or NaN. Set a date"
            case .decimal?: "is not a number (NaN), or is out of range (±1e100). Set a number"
            default: "is not a number (NaN). Set a number"
            }
        return ValidationProblem(
            isDate ? .invalidDate : .notANumber, of: self, key: property.name,
            message: "\(entity.name).\(property.name) \(problem), or nil.")
    }

    // MARK: Counts

    private nonisolated func checkCounts(by plan: ValidationPlan, into problems: inout [ValidationProblem]) {
        for relationship in plan.countedToManys {
            guard isInserted || relation(relationship).hasChanges else { continue }
            // Counting needs the members. A failed read of a to-many is recorded, and makes the save throw.
            let relation = livingContext.faults.toMany(relationship, of: self)
            if relation.isLoaded { checkCount(of: relation, &problems) }
        }
    }

    private nonisolated func checkCount(of relation: ToManyRelation, _ problems: inout [ValidationProblem]) {
        let relationship = relation.relationship
        let count = relation.members.count
        func report(_ code: SaveError.Code, containing what: String) {
            problems.append(
                ValidationProblem(
                    code, of: self, key: relationship.name,
                    message: "\(entity.name).\(relationship.name) contains \(what)"))
        }
        if count < relationship.minCount, count > 0 || !relationship.isOptional {
            report(
                .relationshipLacksMinimumCount,
                containing: "\(count) objects, but requires at least \(relationship.minCount).")
        }
        if relationship.maxCount > 0, count > relationship.maxCount {
            report(
                .relationshipExceedsMaximumCount,
                containing: "\(count) objects, but allows at most \(relationship.maxCount).")
        }
    }
}
