import DataMonk
import Foundation

/// The manual's programs find their model in their bundle; this one has it as classes.
func CoreDataStack(rootContext: Stack.RootContextType = .shared) throws -> Stack {
    let model = try ManagedObjectModel(
        classes: [Person.self, Visit.self], configurations: ["Database": ["Person"], "InMemory": ["Visit"]])
    return Stack(model: model, rootContext: rootContext)
}
