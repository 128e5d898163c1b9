import Foundation

/// **Value.** The model for conditions on a history, with transactions and changes as entities.
enum HistoryModel {
    static let transaction = "Transaction"
    static let change = "Change"

    static let model = Result { () throws(ModelError) in
        try ManagedObjectModel {
            EntityDescription(transaction) {
                AttributeDescription("author", .string)
                AttributeDescription("bundleID", .string)
                AttributeDescription("contextName", .string)
                AttributeDescription("processID", .string)
                AttributeDescription("timestamp", .date)
                AttributeDescription("transactionNumber", .integer64)
                RelationshipDescription("changes", to: change, inverse: "transaction", isToMany: true)
            }
            EntityDescription(change) {
                AttributeDescription("changeID", .integer64)
                AttributeDescription("changeType", .integer64)
                AttributeDescription("entityName", .string)
                AttributeDescription("objectURI", .uri)
                RelationshipDescription("transaction", to: transaction)
            }
        }
    }

    static func entity(_ name: String) throws -> Entity {
        let model = try model.get()
        guard let entity = model.entitiesByName[name] else { throw FetchError.unknownEntity(name, in: model) }
        return entity
    }
}

/// **Confined.** A transaction, as conditions read it.
struct HistoryTransactionReader: PropertyReader {
    let transaction: HistoryTransaction
    let entity: Entity
    let changeEntity: Entity

    var objectKey: ObjectKey {
        ObjectKey(store: 0, entity: entity.index, primaryKey: transaction.transactionNumber)
    }

    func value(at slot: Int) -> ManagedValue {
        func text(_ value: String?) -> ManagedValue { value.map { .string($0) } ?? .null }
        return switch entity.properties[slot].name {
        case "author": text(transaction.author)
        case "bundleID": text(transaction.bundleID)
        case "contextName": text(transaction.contextName)
        case "processID": text(transaction.processID)
        case "timestamp": .date(transaction.timestamp)
        case "transactionNumber": .int(transaction.transactionNumber)
        default: .null
        }
    }

    func toOne(_ slot: Int) -> (any PropertyReader)? { nil }

    func toMany(_ slot: Int) -> [any PropertyReader] {
        transaction.changes.map { HistoryChangeReader(change: $0, entity: changeEntity, owner: self) }
    }
}

/// **Confined.** A change, as conditions read it.
struct HistoryChangeReader: PropertyReader {
    let change: HistoryChange
    let entity: Entity
    let owner: HistoryTransactionReader

    var objectKey: ObjectKey { ObjectKey(store: 0, entity: entity.index, primaryKey: change.changeID) }

    func value(at slot: Int) -> ManagedValue {
        switch entity.properties[slot].name {
        case "changeID": .int(change.changeID)
        case "changeType": .int(change.changeType.rawValue)
        case "entityName": .string(change.changedObjectID.entityName)
        case "objectURI": .url(change.changedObjectID.uri)
        default: .null
        }
    }

    func toOne(_ slot: Int) -> (any PropertyReader)? { owner }
    func toMany(_ slot: Int) -> [any PropertyReader] { [] }
}

@available(*, unavailable)
extension HistoryTransactionReader: Sendable {}

@available(*, unavailable)
extension HistoryChangeReader: Sendable {}
