#if Macros
    import DataMonk
    import Testing

    /// Queries that are nested deeply, on threads with the stacks of Apple's systems: each is answered or refused.
    @Suite struct `Deep queries` {
        private static let leaf = Condition.compare("age", .equal, 0)
        private static let plain = ConditionExpression.keyPath("age")

        /// A condition or an expression that may be nested without end. Conditions are released level by level, expressions as Swift releases values.
        enum Shape: CaseIterable, CustomTestStringConvertible {
            case not, and, both, sum, length, conditional, subquery, union

            var testDescription: String { "\(self)" }
            var depths: [Int] {
                switch self {
                case .not, .and, .both: [10, 90, 98, 160, 10_000]
                case .sum, .length, .conditional, .subquery: [10, 90, 98, 160, 1_000]
                // Each level doubles it.
                case .union: [1_000]
                }
            }

            func condition(_ depth: Int) -> Condition {
                let levels = 0..<depth
                switch self {
                case .not: return levels.reduce(leaf) { tree, _ in .not(tree) }
                case .and: return levels.reduce(leaf) { tree, _ in .and([tree, leaf]) }
                case .both: return levels.reduce(leaf) { tree, _ in .not(.or([.not(tree), .constant(false)])) }
                case .sum: return isZero(levels.reduce(plain) { tree, _ in .function(.add, [tree, .value(0)]) })
                case .length: return isZero(levels.reduce(plain) { tree, _ in .path(tree, "length") })
                case .conditional:
                    return isZero(levels.reduce(plain) { tree, _ in .conditional(leaf, then: tree, else: .value(0)) })
                case .subquery:
                    let friends = ConditionExpression.keyPath("friends")
                    return isZero(
                        .path(levels.reduce(friends) { .subquery($0, variable: "x\($1)", leaf) }, "@count"))
                case .union:
                    let list = ConditionExpression.list([plain])
                    let deep = levels.reduce(list) { tree, _ in .function(.union, [tree, tree]) }
                    return .comparison(.init(plain, .isIn, deep))
                }
            }

            private func isZero(_ expression: ConditionExpression) -> Condition {
                .comparison(.init(expression, .equal, .value(0)))
            }
        }

        @Test(arguments: Shape.allCases) func `are answered or refused, and never too much for a stack`(
            shape: Shape
        ) async throws {
            try await onThread {
                let office = try OfficeStack(.file)
                let context = office.newContext()
                try context.employee("Monk").note = "n"
                try context.save()
                for depth in shape.depths { try Self.ask(shape, depth, context) }
            }
        }

        private static func ask(_ shape: Shape, _ depth: Int, _ context: ManagedObjectContext) throws {
            let condition = shape.condition(depth)
            let people = try context.fetch(FetchRequest(entityName: "Employee"))
            let inStore = try answer { try context.count(FetchRequest(entityName: "Employee", condition: condition)) }
            let inMemory = try answer { try people.filtered(using: condition).count }
            // A database bears fewer levels than memory, and says so.
            #expect(inStore == inMemory || inStore == nil && depth > 20, "depth \(depth)")
            #expect(depth <= 100 || inMemory == nil, "depth \(depth)")
            let inData = try answer { try condition.evaluate(with: ["age": 0, "friends": []]) }
            #expect(depth <= 100 || inData == nil, "depth \(depth)")
            // The walks of these over all parts have no end where each level doubles them.
            guard shape != .union else { return }
            let substituted = try answer { try condition.substituting([:]) }
            #expect(depth <= 100 || substituted == nil, "depth \(depth)")
            #expect(!condition.format.isEmpty)
            #expect(condition == shape.condition(depth), "depth \(depth)")
            #expect(Set([condition]).contains(condition))
        }

        /// Returns the result of a body, or `nil` if it refuses.
        private static func answer<Value>(_ body: () throws -> Value) throws -> Value? {
            do { return try body() } catch is FetchError { return nil }
        }

        @Test(arguments: [
            "(", "NOT ", "!", "1 + ", "a.", "-", "{", "a[", "abs:(", "TERNARY(", "SUBQUERY(", "ANY (", "FUNCTION(",
        ])
        func `are refused as text, and never too much for a stack`(part: String) async throws {
            try await onThread {
                for depth in [98, 10_000] {
                    let format = String(repeating: part, count: depth) + "a == 1"
                    let condition = try Self.answer { try Condition(format: format) }
                    #expect(depth < 100 || condition == nil, "depth \(depth)")
                }
            }
        }
    }
#endif
