import DataMonkCore
import DataMonkSQL

/// **Shared.** The objects whose derived attributes were written by the triggers of one connection.
final class DerivationLog: Sendable {
    /// **Value.** A row, as triggers identify it.
    struct AffectedRow: Hashable, Sendable {
        let entityNumber: Int
        let primaryKey: Int64
    }

    /// `nil` while nobody asks for them.
    private let rows = Locked<Set<AffectedRow>?>([])

    /// A Boolean value indicating whether rows are noted. Changing it forgets them.
    var isNoting: Bool {
        get { rows.withLock { $0 != nil } }
        set { rows.withLock { $0 = newValue ? [] : nil } }
    }

    /// Returns the rows written since the last call.
    func take() -> Set<AffectedRow> {
        rows.withLock { rows in
            guard let noted = rows else { return [] }
            rows = []
            return noted
        }
    }

    fileprivate func note(_ row: AffectedRow) { rows.withLock { _ = $0?.insert(row) } }
}

extension SQLiteConnection {
    /// Registers the functions that triggers of derived attributes call, including Core Data's own triggers. Every
    /// connection that writes needs them.
    ///
    /// The arguments are table, entity number, primary key, attribute and value. The function returns the value, whatever
    /// the trigger does with it.
    func registerDerivationFunctions(_ log: DerivationLog) throws {
        for name in DerivationSchema.functionNames {
            try registerFunction(name, argumentCount: -1, trust: .trigger) { call in
                guard call.argumentCount >= 3 else { return }
                log.note(.init(entityNumber: Int(call.int64(at: 1)), primaryKey: call.int64(at: 2)))
                if call.argumentCount > 4 { call.returnArgument(at: 4) }
            }
        }
    }
}
