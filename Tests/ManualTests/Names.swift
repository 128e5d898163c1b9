import DataMonk
import Foundation

// What a program written for CoreDataMonk puts at its top. The snippets beside this file then stand as in its manual; what
// had to be changed nevertheless is said beside it.

typealias CoreDataContext = Context
typealias CoreDataMainContext = MainContext
typealias CoreDataUpdate = Update
typealias CoreDataUpdateContext = UpdateContext

/// The manual's programs find their model in their bundle; this one has it as classes.
func CoreDataStack(rootContext: Stack.RootContextType = .shared) throws -> Stack {
    let model = try ManagedObjectModel(
        classes: [Person.self, Visit.self], configurations: ["Database": ["Person"], "InMemory": ["Visit"]])
    return Stack(model: model, rootContext: rootContext)
}

extension Stack.RootContextType {
    static var None: Self { .none }
    static var Shared: Self { .shared }
}

extension UpdateTarget {
    static var MainContext: Self { .mainContext }
    static func RootContext(autoMerge: Bool) -> Self { .rootContext(autoMerge: autoMerge) }
    static var PersistentStore: Self { .persistentStore }
}

extension UpdateOrder {
    static var Serial: Self { .serial }
    static var Default: Self { .default }
}
