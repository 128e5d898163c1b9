import DataMonkCore
import DataMonkTesting
import Testing

/// What somebody may ask for costs in proportion to what was asked. Steps are counted: they are the same on every machine.
@Suite struct `Work of large conditions in memory` {
    /// The number of steps that LIKE takes; nil where it refuses.
    private func stepCount(_ pattern: String, at text: String) -> Int? {
        var text = text
        var pattern = pattern
        return text.withUTF8 { text in
            pattern.withUTF8 { pattern in
                let text = UnsafeRawBufferPointer(text)
                let budget = LikePattern.budget(for: text)
                var left = budget
                do throws(FetchError) {
                    _ = try LikePattern.matches(text, pattern: UnsafeRawBufferPointer(pattern), stepsLeft: &left)
                } catch {
                    #expect(error.code == .patternTooExpensive)
                    #expect(left == 0)
                    return nil
                }
                return budget - left
            }
        }
    }

    private static let long = String(repeating: "a", count: 100_000)

    @Test(arguments: [
        "*a*a*a*a*a*a*a*a*b", "*b", "a*b*c*d", String(repeating: "*", count: 100_000), "*?*?*?*?*?*?*?*?b",
        String(repeating: "*a", count: 1_000) + "b",
    ])
    func `stars of LIKE cost a few steps a byte`(pattern: String) throws {
        let steps = try #require(stepCount(pattern, at: Self.long))
        #expect(steps < 4 * (Self.long.utf8.count + pattern.utf8.count))
    }

    @Test(arguments: [
        "*" + String(repeating: "a", count: 1_000) + "b*", "*" + String(repeating: "?", count: 1_000) + "b",
    ])
    func `a pattern of LIKE that starts over and over is refused in time`(pattern: String) {
        #expect(stepCount(pattern, at: Self.long) == nil)
    }

    @Test(arguments: [
        ("(a+)+b", 5_000), ("(.*)*x", 50_000), ("(?:a?){500}a{500}", 400), ("((a{1,100}){1,100}){1,100}b", 3_000),
        ("(a|aa)+b", 5_000), ("(a|a?)+b", 3_000), (".*.*.*.*.*.*.*b", 2_000),
    ])
    func `an expression of MATCHES ends after a limited number of steps`(pattern: String, length: Int) throws {
        let expression = try RegularExpression.cached(pattern, options: [])
        var reports = 0
        do throws(FetchError) {
            _ = try expression.matches(String(repeating: "a", count: length), reports: &reports)
        } catch {
            #expect(error.code == .patternTooExpensive)
        }
        #expect(reports <= RegularExpression.maximumReports + 1)
    }

    @Test func `a value is looked for among 100,000 constants in 17 looks`() throws {
        let numbers = (0..<100_000).map { ManagedValue.int(Int64($0) * 2) }.shuffled()
        let list = try #require(ConstantList(numbers + [.null], options: []))
        for value in [0, 1, 199_998, 199_999, -1, 77_777] as [Int64] {
            var looks = 0
            #expect(list.contains(.int(value)) { looks += 1 } == (value >= 0 && value % 2 == 0 && value < 200_000))
            #expect(looks <= 17)
        }
        #expect(list.contains(.null))
        #expect(list.contains(.double(4)))
        #expect(!list.contains(.double(4.5)))
        #expect(!list.contains("4"))
    }

    @Test func `a long list finds what a short one finds`() throws {
        let texts = (0..<200).map { "Mönk \($0)" }
        let options: Condition.Comparison.Options = [.caseInsensitive, .diacriticInsensitive]
        let list = try #require(ConstantList(texts.map { .string($0) }, options: options))
        for text in ["monk 7", "MÖNK 199", "monk 200", "", "mönk"] {
            let isOne = try ValueComparison.compare(
                .string(text), by: .isIn, with: .list(texts.map { .string($0) }), options: options)
            #expect(list.contains(.string(text)) == isOne, "\(text)")
        }
        #expect(ConstantList(Array(repeating: .int(1), count: 40) + [.double(1)], options: []) == nil)
        #expect(ConstantList([1, 2, 3], options: []) == nil)
    }

    /// The refusal of a condition, before any store is asked.
    private func refusal(_ condition: Condition) throws -> FetchError.Code? {
        let model = try QueryModel.make()
        do {
            _ = try ResolvedFetch(FetchRequest(entityName: "Person", condition: condition), model: model)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a tree that holds itself many times is refused before it is all looked at`() throws {
        let leaf = Condition.compare("age", .equal, 1)
        let doubled = (0..<60).reduce(leaf) { tree, level in level % 2 == 0 ? .and([tree, tree]) : .or([tree, tree]) }
        #expect(try refusal(doubled) == .invalidRequest)
        let sum = (0..<60).reduce(ConditionExpression.keyPath("age")) { tree, _ in .function(.add, [tree, tree]) }
        #expect(try refusal(.comparison(.init(sum, .equal, .value(0)))) == .invalidRequest)
        let sets = (0..<60).reduce(ConditionExpression.keyPath("friends")) { tree, _ in
            .function(.union, [tree, tree])
        }
        #expect(try refusal(.comparison(.init(.object, .isIn, sets))) == .invalidRequest)
        // Each BETWEEN says its left side three times.
        let between = (0..<60).reduce(ConditionExpression.keyPath("age")) { tree, _ in
            .conditional(
                .comparison(.init(tree, .between, .list([.keyPath("level"), .value(2)]))), then: .value(1),
                else: .keyPath("age"))
        }
        #expect(try refusal(.comparison(.init(between, .equal, .value(0)))) == .invalidRequest)
    }

    @Test func `a long left side of many sets is refused, a condition of many terms is not`() throws {
        let numbers = (0..<5_000).map { "\($0)" }.joined(separator: ", ")
        let sets = Array(repeating: "{1}", count: 100).joined(separator: " UNION ")
        let long = try Condition(format: "max:({age, \(numbers)}) IN (\(sets))")
        #expect(try refusal(long) == .invalidRequest)
        let terms = (0..<10_000).map { "age != \($0)" }.joined(separator: " AND ")
        #expect(try refusal(Condition(format: terms)) == nil)
    }
}
