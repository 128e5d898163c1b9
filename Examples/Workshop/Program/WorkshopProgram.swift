import DataMonk
import ExampleChecks
import Foundation
import WorkshopModel

/// A model of Xcode's, of which the build makes classes.
@main
@MainActor
struct WorkshopProgram {
    static func main() async throws {
        // The classes make the same model as the file: no file has to be there when the program runs.
        let stack = try Stack(Customer.self)
        let folder = try Expect.emptyFolder()
        try stack.addDatabaseStore(fileURL: folder.appending(path: "Workshop.sqlite"))
        let World = try MainContext(stack: stack)
        try await World.update { update in
            let customer = try update.create(Customer.self)
            customer.name = "Ada"
            customer.email = "ada@example.org"
            for title in ["Brakes", "Chain"] {
                let repair = try update.create(Repair.self)
                repair.title = title
                customer.addToRepairs(repair)
            }
            customer.repairs[1].state = .inWork
            try update.commit()
        }
        let customer = try Customer.fetch(email: "ada@example.org", in: World.reader)
        try Expect.that(customer?.repairs.map(\.title) == ["Brakes", "Chain"], "Accessors of an ordered relationship.")
        try Expect.that(customer?.repairCount == 2, "A derived attribute.")
        let inWork = try Repair.fetchInState(state: RepairState.inWork, in: World.reader)
        try Expect.that(inWork.map(\.title) == ["Chain"], "A fetch request of the model, and an enum.")
        try Expect.that(inWork.allSatisfy { $0.received != nil }, "The part of a class that is written by hand.")
        try stack.close()
        try FileManager.default.removeItem(at: folder)
    }
}
