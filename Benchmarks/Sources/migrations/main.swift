import DataMonk
import Foundation

// Migrates a store with a closure or a policy for each object, and prints the peak of memory; or a store of many
// entities, apart or in one tree, and prints the time for each entity. Times depend on the machine.

/// - Parameters:
///   - entities: The number of entities beside `Person`.
///   - isTree: Whether the first of them is the superentity of the others, and all of them inherit its relationships.
func model(
    _ type: AttributeType, entities: Int = 0, isTree: Bool = false, hasYears: Bool = false
) throws -> ManagedObjectModel {
    try ManagedObjectModel {
        EntityDescription("Person") {
            AttributeDescription("name", .string)
            AttributeDescription("age", type)
            if hasYears { AttributeDescription("years", .integer32) }
        }
        (0..<entities).map { number in
            EntityDescription("Entity\(number)", superentityName: isTree && number > 0 ? "Entity0" : nil) {
                if !isTree || number == 0 {
                    AttributeDescription("name", .string)
                    if type == .string { AttributeDescription("rank", .string) }
                    RelationshipDescription(
                        "others", to: "Entity\(isTree ? 0 : (number + 1) % entities)", isToMany: true)
                    if isTree { RelationshipDescription("next", to: "Entity0") }
                }
            }
        }
    }
}

/// The peak of resident memory in kilobytes, since it was last reset.
func peakKilobytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    return Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
}

func resetPeak() {
    // Reason for try?: without it, the peak of the whole process is printed, which is larger.
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    let time = (ContinuousClock.now - start).components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
}

func write(_ count: Int, _ model: ManagedObjectModel, to url: URL) throws {
    let stack = Stack(model: model)
    try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
    let context = ManagedObjectContext(coordinator: stack.coordinator)
    var number = 0
    try context.execute(
        BatchInsertRequest(entityName: "Person") { values in
            number += 1
            values["name"] = .string("Person \(number)")
            values["age"] = .string("\(number % 100)")
            return number > count
        })
    context.endTurn()
    try stack.close()
}

func migrate(_ url: URL, from old: ManagedObjectModel, to model: ManagedObjectModel) throws {
    let age = PropertyMapping.computed("age", from: ["age"]) { row in
        guard case .string(let text) = try row.value(forKey: "age"), let number = Int64(text) else { return .null }
        return .int(number)
    }
    let stack = Stack(model: model)
    try stack.addDatabaseStore(
        fileURL: url, stages: StagedMigration(from: old, [.custom(to: model, mapping: [.transform("Person", [age])])]),
        discarding: .everything)
    try stack.close()
}

/// Sets a new attribute of each object by its old one.
struct Years: EntityMigrationPolicy {
    func create(from source: ManagedObject, in context: ManagedObjectContext) throws {
        try source.convert("years", from: source, "age")
    }
}

func migrateByCode(_ url: URL, from old: ManagedObjectModel) throws {
    let model = try model(.string, hasYears: true)
    let stack = Stack(model: model)
    try stack.addDatabaseStore(
        fileURL: url,
        stages: StagedMigration(from: old, [.custom(to: model, didMigrate: { try $0.migrate(["Person": Years()]) })]))
    try stack.close()
}

let kinds = ["rows", "policy", "entities", "tree"]
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2, let count = Int(arguments[1]), kinds.contains(arguments[0]) else {
    FileHandle.standardError.write(Data("usage: migrations rows|policy|entities|tree COUNT\n".utf8))
    exit(2)
}
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("migrations-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let url = folder.appendingPathComponent("store.sqlite")
let (isOfRows, isTree) = (!["entities", "tree"].contains(arguments[0]), arguments[0] == "tree")
let entities = isOfRows ? 0 : count
let old = try model(.string, entities: entities, isTree: isTree)
let new = try model(.integer32, entities: entities, isTree: isTree)
try write(isOfRows ? count : 1_000, old, to: url)
resetPeak()
let base = peakKilobytes()
let time = try seconds {
    try arguments[0] == "policy" ? migrateByCode(url, from: old) : migrate(url, from: old, to: new)
}
if isOfRows {
    let means = arguments[0] == "policy" ? "policy" : "closure"
    let peak = "peak \(peakKilobytes() / 1_024) MB, \(base / 1_024) MB before"
    print("\(count) rows with a \(means): \(peak), \(String(format: "%.1f", time)) s")
} else {
    print("\(count) entities: \(String(format: "%.2f", time * 1_000 / Double(count))) ms each")
}
try FileManager.default.removeItem(at: folder)
