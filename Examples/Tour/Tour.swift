import DataMonk
import Foundation

/// The tour, on the main actor as a view would be: `World` is what it reads, updates run elsewhere.
@MainActor
struct Tour {
    let narrator: Narrator
    let stack: Stack
    /// The main context, by the name that the documentation gives it.
    let World: MainContext

    /// Step one: a model, a stack, a main context.
    init(file: URL, narrator: Narrator) throws {
        self.narrator = narrator
        narrator.step("A model of one class, a stack with a store, a main context to read from.")
        stack = try Stack(Person.self, trace: narrator.trace)
        try stack.addDatabaseStore(fileURL: file)
        World = try MainContext(stack: stack)
        narrator.result("Entities: \(stack.model.entities.map(\.name).joined(separator: ", "))")
    }

    func run() async throws {
        try await createPeople()
        try fetch()
        try fetchWithConditions()
        try queryValues()
        try await useAnObject()
        try await updateFromACallback()
        try await updateInSteps()
        try await takeBack()
        try await deletePeople()
        try await observeCommits()
        try await updateInOrder()
        try await readElsewhere()
        try await keepInMemory()
        try seeAnError()
        try stack.close()
    }
}
