import DataMonk
import Foundation
import FuzzStage

@main enum FormatStringFuzzer {
    static func main() { FuzzDriver.run(fuzzFormatString) }
}

/// The same objects in memory and in a file.
private let stacks = Result {
    let (memory, file) = (Stack(model: try Notebook.model.get()), Stack(model: try Notebook.model.get()))
    try memory.addInMemoryStore()
    try file.addDatabaseStore(
        fileURL: FuzzFolder("formats").write(Data(), to: "Notes.sqlite"), synchronous: .normal)
    for stack in [memory, file] { try Notebook.fill(stack) }
    return [memory, file]
}

/// A format string is refused, or is read back from its own text and gives the same answer in memory and from SQLite.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFormatString(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzInput(bytes, count).run { input in
        let text = input.text
        let arguments: [ManagedValue] = (0..<text.components(separatedBy: "%").count - 1).map { place in
            [.string("text"), .int(1), .double(0.5), .list([1, "a"]), .null, .date(Date(timeIntervalSince1970: 0))][
                place % 6]
        }
        _ = try? ConditionExpression(format: text, arguments: arguments)  // Most are conditions.
        let condition = try Condition(format: text, arguments: arguments)
        let written = condition.format
        guard try Condition(format: written).format == written else {
            throw FuzzFailure(message: "It is read back as another condition: \(written)")
        }
        let counts = try stacks.get().map { stack in
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            defer { context.endTurn() }
            return Result { try context.count(FetchRequest(entityName: "Note", condition: condition)) }
        }
        if case (.success(let inMemory), .success(let inFile)) = (counts[0], counts[1]), inMemory != inFile {
            throw FuzzFailure(message: "\(inMemory) objects in memory, \(inFile) in the file: \(written)")
        }
        for count in counts { _ = try count.get() }
    }
}
