import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

@Suite("Conditions as text and back")
struct FormatRoundTripTests {
    @Test func `random trees read back as they were`() throws {
        let seed: UInt64 = 1
        var trees = RandomTree(seed: seed)
        for _ in 0..<5_000 {
            let tree = trees.condition(depth: 3)
            let text = tree.format
            let read = try Condition(format: text)
            // Unequal texts can be canonically equivalent, so the second text is compared by its bytes.
            #expect(read == tree && Array(read.format.utf8) == Array(text.utf8), "seed \(seed): \(text)")
        }
    }

    @Test func `random texts are read or refused`() throws {
        let seed: UInt64 = 1
        var trees = RandomTree(seed: seed)
        for _ in 0..<2_000 {
            var scalars = Array(trees.condition(depth: 2).format.unicodeScalars)
            for _ in 0..<Int.random(in: 1...4, using: &trees.generator) {
                let place = Int.random(in: 0..<scalars.count, using: &trees.generator)
                let other = Int.random(in: 0..<scalars.count, using: &trees.generator)
                if Bool.random(using: &trees.generator) {
                    scalars.swapAt(place, other)
                } else {
                    scalars.remove(at: place)
                }
                if scalars.isEmpty { break }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            do throws(FetchError) {
                let read = try Condition(format: String(text))
                #expect(try Condition(format: read.format) == read, "seed \(seed): \(String(text))")
            } catch {
                #expect(error.code == .invalidFormat, "seed \(seed): \(String(text)): \(error)")
            }
        }
    }

    @Test(
        arguments: [
            (Condition.and([.compare("a", .equal, 1)]), "a == 1"), (.and([]), "TRUEPREDICATE"),
            (.or([]), "FALSEPREDICATE"),
            (.comparison(.init(.path(.object, "a"), .equal, .list([.value(1)]))), "SELF.a == {1}"),
        ])
    func `what has no form of its own is written as what means the same`(condition: Condition, text: String) throws {
        #expect(condition.format == text)
        let read = try Condition(format: text)
        #expect(try Condition(format: read.format) == read)
    }

    @Test func `messages outline an expression without its constants`() throws {
        let expression = ConditionExpression.function(
            .uppercase, [.function(.add, [.keyPath("age"), .value("secret")])])
        #expect(expression.outline == "uppercase:(age + …)")
    }
}
