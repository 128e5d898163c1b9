import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Predicates against data sets, as another implementation of them and its tests observed them: each in memory and in
/// SQLite.
@Suite(.enabled(if: ReferenceFiles.arePresent, "\(ReferenceFiles.absence)"))
struct FetchConformanceTests {
    /// Cases in which that implementation leaves NSPredicate's meaning, each with ours.
    private static let decisions: [String: String] = [
        "rlm/testQueryBetween/025": "text is no number: a decimal is not compared with text",
        "rlm/testINPredicate/032": "text is no number", "rlm/testINPredicate/075": "text is no number",
        "rlm/testINPredicateOnNullWithNonNullValues/012": "text is no number",
    ]
    /// What the engine refuses, or answers otherwise, until it learns it: comparisons of parts of data, LIKE with nil, text
    /// in a list beside decimals, and whether [c] without [d] tells "u" from "ü".
    private static let open: Set<String> = [
        "rlm/testStringBeginsWith/015", "rlm/testStringContains/016", "rlm/testINPredicate/072",
        "rlm/testINPredicateOnNullWithNullValues/012", "rlm/testQueryOnNullableStringColumn/101",
        "rlm/testQueryOnNullableStringColumn/103", "rlm/testQueryingOnLinkToNullableStringColumn/101",
        "rlm/testQueryingOnLinkToNullableStringColumn/103",
    ]

    private static func isOpen(_ sample: ConformanceCase) -> Bool {
        let key = if case .string(let key)? = sample.args?.first { key } else { "" }
        let isData = key == "data" || sample.format?.contains("data") == true
        return open.contains(sample.id) || sample.tags?.contains("realm-binary-substring") == true
            || isData && ["BEGINSWITH", "ENDSWITH", "CONTAINS"].contains { sample.format?.contains($0) == true }
    }

    @Test(arguments: [false, true])
    func `each predicate finds the same objects`(inFile: Bool) throws {
        let sources = try ConformanceDataset.Source.all()
        var datasets: [String: ConformanceDataset] = [:]
        let folder = try TemporaryFolder()
        var failures: [String] = []
        for sample in try ConformanceCase.all(in: "realm-swift-querytests.jsonl") where sample.kind == "fetch" {
            guard Self.decisions[sample.id] == nil, !Self.isOpen(sample), let name = sample.dataset,
                let source = sources[name]
            else {
                continue
            }
            if datasets[name] == nil {
                datasets[name] = try ConformanceDataset(
                    source, file: inFile ? folder.url.appending(path: "\(name).sqlite") : nil)
            }
            guard let dataset = datasets[name] else { continue }
            if let failure = Self.failure(of: sample, in: dataset) { failures.append("\(sample): \(failure)") }
        }
        #expect(failures.isEmpty, "\(failures.count):\n\(failures.joined(separator: "\n"))")
    }

    private static func failure(of sample: ConformanceCase, in dataset: ConformanceDataset) -> String? {
        let throwing = sample.expect == .string("throws")
        do {
            let arguments = (sample.args ?? []).map { $0.constant { dataset.constant($0) } }
            let condition = try Condition(format: sample.format ?? "", arguments: arguments)
            let found = dataset.ids(try objects(condition, sample, dataset))
            let others = dataset.ids(try objects(.not(condition), sample, dataset))
            if throwing { return "it found \(found) and should have thrown" }
            return difference(sample.expect, found, others)
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

    @Test func `each format is read or refused`() throws {
        for sample in try ConformanceCase.all(in: "realm-swift-querytests.jsonl") where sample.kind == "parse" {
            // ANYKEY asks for any property whatever, which no store could index.
            if sample.format == "ANYKEY == 1" { continue }
            let isRead = (try? Condition(format: sample.format ?? "")) != nil
            #expect(isRead == (sample.expect == .string("ok")), "\(sample)")
        }
    }
}
