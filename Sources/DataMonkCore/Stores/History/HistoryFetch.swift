/// **Value.** A fetch of history whose condition was resolved against the history model.
struct HistoryFetch {
    private let resultType: HistoryRequest.ResultType
    private let fetch: ResolvedFetch?
    private let transactionEntity: Entity
    private let changeEntity: Entity

    init(_ request: HistoryRequest) throws {
        resultType = request.resultType
        transactionEntity = try HistoryModel.entity(HistoryModel.transaction)
        changeEntity = try HistoryModel.entity(HistoryModel.change)
        if let fetchRequest = request.fetchRequest, !fetchRequest.sortTerms.isEmpty {
            throw FetchError(
                .invalidRequest,
                """
                History is always returned in the order in which it was written. Remove the sort terms, and sort \
                the result.
                """,
                entityName: fetchRequest.entityName)
        }
        let model = try HistoryModel.model.get()
        fetch = try request.fetchRequest.map { try ResolvedFetch($0, model: model) }
    }

    private var isOfChanges: Bool { fetch?.entity === changeEntity }

    var needsChanges: Bool { fetch != nil || (resultType != .transactions && resultType != .count) }

    func result(of transactions: [HistoryTransaction]) throws -> HistoryResult {
        var result = HistoryResult()
        if isOfChanges || resultType == .changes {
            let changes = try isOfChanges ? self.changes(of: transactions) : matching(transactions).flatMap(\.changes)
            result.count = changes.count
            switch resultType {
            case .count: break
            case .objectIDs: result.takeIDs(of: changes)
            case .changes, .transactions, .transactionsAndChanges: result.changes = changes
            }
            return result
        }
        let matching = try matching(transactions)
        result.count = matching.count
        switch resultType {
        case .objectIDs: result.takeIDs(of: matching.flatMap(\.changes))
        case .transactions: result.transactions = matching.map(\.withoutChanges)
        case .transactionsAndChanges: result.transactions = matching
        case .changes, .count: break
        }
        return result
    }

    private func matching(_ transactions: [HistoryTransaction]) throws -> [HistoryTransaction] {
        guard let fetch else { return transactions }
        return fetch.page(try transactions.filter { try fetch.matches(reader($0)) })
    }

    private func changes(of transactions: [HistoryTransaction]) throws -> [HistoryChange] {
        guard let fetch else { return transactions.flatMap(\.changes) }
        var changes: [HistoryChange] = []
        for transaction in transactions {
            let owner = reader(transaction)
            changes += try transaction.changes.filter { change in
                try fetch.matches(HistoryChangeReader(change: change, entity: changeEntity, owner: owner))
            }
        }
        return fetch.page(changes)
    }

    private func reader(_ transaction: HistoryTransaction) -> HistoryTransactionReader {
        HistoryTransactionReader(transaction: transaction, entity: transactionEntity, changeEntity: changeEntity)
    }
}

extension HistoryTransaction {
    fileprivate var withoutChanges: HistoryTransaction {
        HistoryTransaction(
            transactionNumber: transactionNumber, storeIdentifier: storeIdentifier, timestamp: timestamp,
            author: author, contextName: contextName, bundleID: bundleID, processID: processID, changes: [],
            identifier: identifier)
    }
}

extension HistoryResult {
    fileprivate mutating func takeIDs(of changes: [HistoryChange]) {
        var seen: Set<AnyObjectID> = []
        objectIDs = changes.map(\.changedObjectID).filter { seen.insert($0).inserted }
        count = objectIDs.count
    }
}
