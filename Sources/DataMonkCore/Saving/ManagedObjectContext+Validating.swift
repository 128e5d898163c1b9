extension ManagedObjectContext {
    /// Checks every changed object against the model.
    ///
    /// - Throws: ``SaveError`` with the one problem's code, or `multipleValidationErrors` with all of them.
    func validateChanges() throws {
        var problems: [ValidationProblem] = []
        for object in changed where object.hasChanges {
            if object.state.contains(.deleted) {
                if !object.isInserted { checkDeny(object, &problems) }
            } else {
                checkMandatory(object, &problems)
                checkCounts(object, &problems)
            }
        }
        guard let first = problems.first else { return }
        if problems.count == 1 {
            throw SaveError(
                first.code, first.message, entityName: first.objectID.entityName, objectID: first.objectID,
                validationProblems: problems)
        }
        throw SaveError(
            .multipleValidationErrors,
            "\(problems.count) properties are not valid:\n"
                + problems.map { "- " + $0.message }.joined(separator: "\n"),
            validationProblems: problems)
    }

    private func checkMandatory(_ object: ManagedObject, _ problems: inout [ValidationProblem]) {
        guard let row = object.row else { return }
        for slot in object.home.layout.mandatorySlots where RowFormat.isNull(row, slot) {
            let property = object.entity.properties[slot]
            problems.append(
                ValidationProblem(
                    code: .missingMandatoryProperty, objectID: object.anyObjectID, key: property.name,
                    message: """
                        \(object.entity.name).\(property.name) holds no value, and the model asks for one. Set it before \
                        the commit, give it a default, or declare it optional.
                        """))
        }
    }

    private func checkCounts(_ object: ManagedObject, _ problems: inout [ValidationProblem]) {
        for relationship in object.home.layout.countedToManys {
            guard object.isInserted || relation(relationship, of: object).hasChanges else { continue }
            // Counting needs the members; one that cannot be read has been reported, and is not counted.
            let relation = toMany(relationship, of: object)
            if relation.isLoaded { checkCount(relation, of: object, &problems) }
        }
    }

    private func checkCount(
        _ relation: ToManyRelation, of object: ManagedObject, _ problems: inout [ValidationProblem]
    ) {
        let relationship = relation.relationship
        let count = relation.members.count
        let name = "\(object.entity.name).\(relationship.name)"
        if count < relationship.minCount, count > 0 || !relationship.isOptional {
            problems.append(
                ValidationProblem(
                    code: .relationshipLacksMinimumCount, objectID: object.anyObjectID, key: relationship.name,
                    message: "\(name) holds \(count) objects; it needs at least \(relationship.minCount)."))
        } else if count == 0, !relationship.isOptional {
            problems.append(
                ValidationProblem(
                    code: .missingMandatoryProperty, objectID: object.anyObjectID, key: relationship.name,
                    message: "\(name) holds no object, and the model asks for one."))
        }
        if relationship.maxCount > 0, count > relationship.maxCount {
            problems.append(
                ValidationProblem(
                    code: .relationshipExceedsMaximumCount, objectID: object.anyObjectID, key: relationship.name,
                    message: "\(name) holds \(count) objects; it may hold \(relationship.maxCount)."))
        }
    }

    private func checkDeny(_ object: ManagedObject, _ problems: inout [ValidationProblem]) {
        for relationship in object.home.layout.relationships where relationship.deleteRule == .deny {
            let left = destinations(of: relationship, from: object).filter { !$0.isDeleted }
            if left.isEmpty { continue }
            problems.append(
                ValidationProblem(
                    code: .relationshipDeniedDelete, objectID: object.anyObjectID, key: relationship.name,
                    message: """
                        \(object.entity.name) may not be deleted while its \(relationship.name) has \(left.count) \
                        objects. Delete or move those first.
                        """))
        }
    }
}
