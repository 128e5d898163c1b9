#if Postgres
    import DataMonkCore

    extension ServerConditionCompiler {
        /// Appends a comparison of an attribute with a constant. Returns `false` if the server cannot say it.
        func append(_ comparison: ResolvedComparison, to sql: inout ServerSQL) -> Bool {
            guard comparison.quantifier == .direct, comparison.options.isEmpty,
                case .path(let path) = comparison.left, case .object = path.start, path.steps.isEmpty,
                let attribute = path.attribute, let column = column(of: attribute),
                case .constant(let value) = comparison.right
            else { return false }
            do throws(PostgresValueError) {
                return try append(column, comparison.operation, value, of: attribute, to: &sql)
            } catch {
                // A constant that the server cannot represent is for memory.
                return false
            }
        }

        /// Returns the column of an attribute; `nil` if it has none of its own.
        func column(of attribute: Entity.Attribute) -> String? {
            switch storage(ofSlot: attribute.slot) {
            case .value(let column): "\(alias).\(column.identifier)"
            case .composite(let columns): attribute.position.map { "\(alias).\(columns[$0].identifier)" }
            case .none, .toOne, .toMany, .links: nil
            }
        }

        private func append(
            _ column: String, _ operation: Condition.Comparison.Operator, _ value: ManagedValue,
            of attribute: Entity.Attribute, to sql: inout ServerSQL
        ) throws(PostgresValueError) -> Bool {
            if value.isNull { return append(column, operationWithNull: operation, to: &sql) }
            switch (operation, value) {
            case (.isIn, .list(let values)): return try append(column, oneOf: values, of: attribute, to: &sql)
            case (.between, .list(let values)):
                let bounds = values.compactMap { ServerConstant($0, comparedWith: attribute) }
                guard bounds.count == 2, values.count == 2 else { return false }
                sql.append("\(column) BETWEEN ")
                try bounds[0].bind(to: &sql)
                sql.append(" AND ")
                try bounds[1].bind(to: &sql)
                return true
            default:
                guard let constant = ServerConstant(value, comparedWith: attribute) else { return false }
                return try append(column, operation, constant, to: &sql)
            }
        }

        /// `nil` equals `nil`, and is neither less nor greater than anything.
        private func append(
            _ column: String, operationWithNull operation: Condition.Comparison.Operator, to sql: inout ServerSQL
        ) -> Bool {
            switch operation {
            case .equal, .lessThanOrEqual, .greaterThanOrEqual: sql.append("\(column) IS NULL")
            case .notEqual: sql.append("\(column) IS NOT NULL")
            case .lessThan, .greaterThan: sql.append("false")
            default: return false
            }
            return true
        }

        private func append(
            _ column: String, oneOf values: [ManagedValue], of attribute: Entity.Attribute, to sql: inout ServerSQL
        ) throws(PostgresValueError) -> Bool {
            let wanted = values.filter { !$0.isNull }
            let constants = wanted.compactMap { ServerConstant($0, comparedWith: attribute) }
            guard constants.count == wanted.count else { return false }
            sql.append("(false")
            if wanted.count < values.count { sql.append(" OR \(column) IS NULL") }
            if !constants.isEmpty {
                sql.append(" OR \(column) = ANY (")
                try ServerConstant.bind(constants, to: &sql)
                sql.append(")")
            }
            sql.append(")")
            return true
        }

        private func append(
            _ column: String, _ operation: Condition.Comparison.Operator, _ constant: ServerConstant,
            to sql: inout ServerSQL
        ) throws(PostgresValueError) -> Bool {
            switch operation {
            case .equal: sql.append("\(column) = ")
            case .notEqual: sql.append("\(column) IS DISTINCT FROM ")
            case .lessThan: sql.append("\(column) < ")
            case .lessThanOrEqual: sql.append("\(column) <= ")
            case .greaterThan: sql.append("\(column) > ")
            case .greaterThanOrEqual: sql.append("\(column) >= ")
            case .contains, .beginsWith:
                // No text contains or begins with the empty text, in memory.
                guard case .text(let text) = constant, !text.isEmpty else { return false }
                sql.append(operation == .contains ? "strpos(\(column), " : "starts_with(\(column), ")
                try constant.bind(to: &sql)
                sql.append(operation == .contains ? ") > 0" : ")")
                return true
            case .isIn, .between, .endsWith, .like, .matches, .containsWords: return false
            }
            try constant.bind(to: &sql)
            return true
        }
    }
#endif
