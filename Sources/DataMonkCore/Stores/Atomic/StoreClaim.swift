package import Foundation

/// **Shared.** The right of one stack to a store of an application's own, until it is released.
///
/// Two stacks over one store would each overwrite what the other has saved. A store is known by its instance, if it is one of
/// a class, and by its kind and location, if it has one. A value without a location cannot be known again.
package final class StoreClaim: Sendable {
    private enum Subject: Hashable {
        case instance(ObjectIdentifier)
        case place(typeName: String, URL)
    }

    private static let claimed = Locked<Set<Subject>>([])

    /// Keeps the instance alive, so that no other one gets its identity.
    private let store: any Sendable
    /// Empty once the claim is released.
    private let subjects: Locked<Set<Subject>>

    /// - Throws: ``StoreError`` with the code `locked` while another stack of the process has the store.
    package init(_ store: any Sendable, typeName: String, at url: URL?) throws {
        var subjects: Set<Subject> = []
        let type: Any.Type = type(of: store)
        if type is AnyClass { subjects.insert(.instance(ObjectIdentifier(store as AnyObject))) }
        if let url { subjects.insert(.place(typeName: typeName, url.standardizedFileURL)) }
        let isFree = Self.claimed.withLock { claimed in
            guard claimed.isDisjoint(with: subjects) else { return false }
            claimed.formUnion(subjects)
            return true
        }
        guard isFree else { throw StoreError.claimed(typeName, url) }
        self.store = store
        self.subjects = Locked(subjects)
    }

    /// Ends the claim. Later calls do nothing.
    func release() {
        let subjects = subjects.withLock { subjects in
            defer { subjects = [] }
            return subjects
        }
        Self.claimed.withLock { $0.subtract(subjects) }
    }

    deinit { release() }
}

extension StoreError {
    fileprivate static func claimed(_ typeName: String, _ url: URL?) -> StoreError {
        StoreError(
            .locked,
            """
            \(url?.lastPathComponent ?? "The store of the kind \(typeName)") is open in a stack of this program already, \
            and two would overwrite each other's changes. Close that stack first, or use it here too.
            """, storeURL: url)
    }
}
