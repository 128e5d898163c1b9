import DataMonkCore
import Foundation

extension StoreContract {
    /// The rules for stores that are created with a history.
    package static let historyRules: [Rule] = [
        Rule("a save is a transaction with its changes", saveIsATransaction),
        Rule("saves that share a commit are separate transactions", sharedCommitIsSeveralTransactions),
        Rule("changes that were rolled back are not in the history", rolledBackLeavesNoHistory),
        Rule("a batch request is one transaction", batchIsATransaction),
        Rule("purging up to a transaction keeps that transaction", purgingKeepsThePlace),
        Rule("transaction numbers are never reused", numbersAreNeverGivenTwice),
    ]

    private static func history(
        _ stage: ContractStage, after bound: HistoryBound = .start
    ) throws -> [HistoryRecord] {
        try stage.read { try $0.history(after: bound, includingChanges: true) ?? [] }
    }

    private static func insert(
        _ name: String, on stage: ContractStage, by author: String, in transaction: any StoreTransaction
    ) throws -> ObjectKey {
        transaction.beginHistoryTransaction(HistorySignature(author: author))
        return try stage.write("Person", values: ["name": .string(name)], in: transaction)
    }

    @Sendable private static func saveIsATransaction(_ stage: ContractStage) throws {
        let context = stage.newContext()
        (context.name, context.transactionAuthor) = ("desk", "monk")
        let person = try context.insert(stage.entity("Person"))
        try context.save()
        try person.setValue("x", forKey: "name")
        try person.setObjects([context.insert(stage.entity("Person"))], forKey: "friends")
        try context.save()
        context.delete(person)
        try context.save()
        let records = try history(stage)
        try expectEqual(records.map(\.number), [1, 2, 3], "numbers")
        try expectEqual(
            records.map { $0.changes.map(\.type) }, [[.insert], [.insert, .update], [.update, .delete]], "types")
        try expectEqual(Set(records.map(\.signature)), [.init(author: "monk", contextName: "desk")], "signatures")
        try expectEqual(records[1].changes.last?.updatedProperties, ["name", "friends"], "what was set")
        // The friend has lost one.
        try expectEqual(records[2].changes.first?.updatedProperties, ["friends"], "what follows from the deletion")
        try expectEqual(records[2].changes.last?.key, person.anyObjectID.key, "what was deleted")
        try expect(records[0].timestamp <= Date(), "timestamps ascend")
        try expectEqual(records.flatMap { $0.changes.map(\.number) }, [1, 2, 3, 4, 5], "the numbers of changes")
    }

    @Sendable private static func sharedCommitIsSeveralTransactions(_ stage: ContractStage) throws {
        let transaction = try stage.store.beginTransaction()
        for name in ["a", "b"] {
            try transaction.beginSavepoint()
            _ = try insert(name, on: stage, by: name, in: transaction)
            try transaction.releaseSavepoint()
        }
        try transaction.commit()
        transaction.end()
        try expectEqual(history(stage).map(\.signature.author), ["a", "b"], "authors")
    }

    @Sendable private static func rolledBackLeavesNoHistory(_ stage: ContractStage) throws {
        let transaction = try stage.store.beginTransaction()
        try transaction.beginSavepoint()
        _ = try insert("a", on: stage, by: "a", in: transaction)
        try transaction.rollBackToSavepoint()
        try transaction.beginSavepoint()
        let kept = try insert("b", on: stage, by: "b", in: transaction)
        try transaction.releaseSavepoint()
        try transaction.commit()
        transaction.end()
        let records = try history(stage)
        try expectEqual(records.map(\.signature.author), ["b"], "authors")
        try expectEqual(records.flatMap { $0.changes.map(\.key) }, [kept], "changes")
    }

    @Sendable private static func batchIsATransaction(_ stage: ContractStage) throws {
        let context = stage.newContext()
        context.transactionAuthor = "batch"
        var number = 0
        try context.execute(
            BatchInsertRequest(entityName: "Person") { values in
                number += 1
                values["age"] = .int(Int64(number))
                return number > 1_500
            })
        try context.execute(
            BatchUpdateRequest(
                entityName: "Person", condition: .compare("age", .lessThan, 3), propertiesToUpdate: ["name": "young"]))
        try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Person")))
        let records = try history(stage)
        try expectEqual(records.map(\.changes.count), [1_500, 2, 1_500], "the number of changes")
        try expectEqual(records.map { Set($0.changes.map(\.type)) }, [[.insert], [.update], [.delete]], "types")
        try expectEqual(records[1].changes.map(\.updatedProperties), [["name"], ["name"]], "what was set")
        try expectEqual(Set(records.map(\.signature.author)), ["batch"], "author")
    }

    @Sendable private static func purgingKeepsThePlace(_ stage: ContractStage) throws {
        for _ in 0..<4 { _ = try stage.commitObject("Person") }
        let transaction = try stage.store.beginTransaction()
        try expectEqual(transaction.deleteHistory(before: .transaction(HistoryPosition(number: 3))), 2, "purged")
        try transaction.commit()
        transaction.end()
        try expectEqual(history(stage).map(\.number), [3, 4], "the remaining transactions")
        let first = HistoryPosition(number: 3)
        try expectEqual(history(stage, after: .transaction(first)).map(\.number), [4], "after the first remaining one")
        var refused: (any Error)?
        do { _ = try history(stage, after: .transaction(HistoryPosition(number: 2))) } catch { refused = error }
        try expectEqual((refused as? StoreError)?.code, .historyTokenExpired, "the error of a purged token")
    }

    @Sendable private static func numbersAreNeverGivenTwice(_ stage: ContractStage) throws {
        for _ in 0..<2 { _ = try stage.commitObject("Person") }
        let transaction = try stage.store.beginTransaction()
        _ = try transaction.deleteHistory(before: .date(.distantFuture))
        try transaction.commit()
        transaction.end()
        _ = try stage.commitObject("Person")
        try expectEqual(history(stage).map(\.number), [3], "transactions")
        try expectEqual(history(stage).flatMap { $0.changes.map(\.number) }, [3], "changes")
    }
}
