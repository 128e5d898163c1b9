import DataMonk
import DataMonkFixtures
import Foundation
import Testing

/// Predicates against data sets, as another implementation of them and its tests observed them: each in memory and in
/// SQLite.
@Suite(.requiresFixtures("conformance"))
struct FetchConformanceTests {
    /// Cases in which that implementation leaves NSPredicate's meaning, each with what is expected of ours: to it "1" is
    /// the number 1 where a decimal is compared. Here text is no number: beside a decimal it is refused, in a list it is
    /// equal to none.
    private static let decisions: [String: ConformanceValue] = [
        "rlm/testQueryBetween/025": .string("throws"),
        "rlm/testINPredicate/032": .dictionary(["count": .int(0), "notCount": .int(1)]),
        "rlm/testINPredicate/075": .dictionary(["count": .int(0), "notCount": .int(1)]),
        "rlm/testINPredicateOnNullWithNonNullValues/012": .dictionary(["count": .int(0), "notCount": .int(1)]),
    ]

    @Test(arguments: [false, true])
    func `each predicate finds the same objects`(inFile: Bool) throws {
        let sources = try ConformanceDataset.Source.all()
        var datasets: [String: ConformanceDataset] = [:]
        let folder = try TemporaryFolder()
        var failures: [String] = []
        var count = 0
        for sample in try ConformanceCase.all(in: "realm-swift-querytests.jsonl") where sample.kind == "fetch" {
            let name = try #require(sample.dataset)
            let source = try #require(sources[name])
            count += 1
            if datasets[name] == nil {
                datasets[name] = try ConformanceDataset(
                    source, file: inFile ? folder.url.appending(path: "\(name).sqlite") : nil)
            }
            let dataset = try #require(datasets[name])
            if let failure = Self.failure(of: sample, in: dataset) { failures.append("\(sample): \(failure)") }
        }
        #expect(count == 1_526)
        #expect(failures.isEmpty, "\(failures.count):\n\(failures.joined(separator: "\n"))")
    }

    private static func failure(of sample: ConformanceCase, in dataset: ConformanceDataset) -> String? {
        let expected = decisions[sample.id] ?? sample.expect
        let throwing = expected == .string("throws")
        do {
            let arguments = (sample.args ?? []).map { $0.constant { dataset.constant($0) } }
            let condition = try Condition(format: sample.format ?? "", arguments: arguments)
            let found = dataset.ids(try objects(condition, sample, dataset))
            let others = dataset.ids(try objects(.not(condition), sample, dataset))
            if throwing { return "it found \(found) and should have thrown" }
            return difference(expected, found, others)
        } catch {
            return throwing ? nil : "\(error)"
        }
    }

    private static func objects(
        _ condition: Condition, _ sample: ConformanceCase, _ dataset: ConformanceDataset
    ) throws -> [ManagedObject] {
        try dataset.context.fetch(FetchRequest(entityName: sample.entity ?? "", condition: condition))
    }

    private static func difference(_ expected: ConformanceValue, _ found: [String], _ others: [String]) -> String? {
        guard case .dictionary(let expected) = expected else { return "unknown expectation \(expected)" }
        if let count = expected["count"], count != .int(Int64(found.count)) {
            return "\(count) expected, found \(found)"
        }
        if let count = expected["notCount"], count != .int(Int64(others.count)) {
            return "NOT: \(count) expected, found \(others)"
        }
        if case .list(let ids)? = expected["ids"], Set(ids) != Set(found.map { .string($0) }) {
            return "\(ids) expected, found \(found)"
        }
        return nil
    }

    @Test(arguments: [false, true]) func `objects come in the same order`(inFile: Bool) throws {
        let sources = try ConformanceDataset.Source.all()
        let folder = try TemporaryFolder()
        for sample in try ConformanceCase.all(in: "realm-swift-querytests.jsonl") where sample.kind == "sort" {
            let file = inFile ? folder.url.appending(path: "\(sample.ascending ?? true).sqlite") : nil
            let dataset = try ConformanceDataset(try #require(sources[sample.dataset ?? ""]), file: file)
            var request = FetchRequest(entityName: sample.entity ?? "")
            request.sortTerms = [SortTerm(sample.key ?? "", ascending: sample.ascending ?? true)]
            let ids = dataset.ids(try dataset.context.fetch(request))
            #expect(sample.expect == .dictionary(["ids": .list(ids.map { .string($0) })]), "\(sample): \(ids)")
        }
    }

    @Test func `each format is read or refused`() throws {
        for sample in try ConformanceCase.all(in: "realm-swift-querytests.jsonl") where sample.kind == "parse" {
            // Decided: ANYKEY asks for any property whatever, which no store could index. It is refused.
            if sample.format == "ANYKEY == 1" {
                #expect(throws: FetchError.self) { try Condition(format: "ANYKEY == 1") }
                continue
            }
            let isRead = (try? Condition(format: sample.format ?? "")) != nil
            #expect(isRead == (sample.expect == .string("ok")), "\(sample)")
        }
    }
}
