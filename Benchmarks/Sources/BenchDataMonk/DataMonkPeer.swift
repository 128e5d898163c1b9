package import BenchKit
import DataMonk
import Foundation

/// DataMonk among the peers.
@MainActor package let dataMonkPeer: any Peer.Type = DataMonkPeer.self

/// **Confined**, to the main actor. DataMonk as an application uses it: a main context reads, updates write.
final class DataMonkPeer: Peer {
    static let name = "datamonk"
    static let schema = Schema.coreData

    let stack: Stack
    let world: MainContext
    let updater: Context
    /// What the application shows, and so keeps: W2w and W7w find it registered. In its own type, as an array of another one
    /// would be a copy.
    var shown: Any?
    /// By key.
    var ids: [ObjectID<Person>?] = []
    /// W13's list.
    var list: FollowedList?
    /// W30's steps.
    var draft: Draft?

    static func makeTemplate(_ template: Template, at path: String, dataset: Dataset) throws {
        try DataMonkTemplate.make(template, at: path, dataset: dataset)
    }

    init(path: String, template: Template, durability: Durability) throws {
        stack = try DataMonkTemplate.stack(for: template)
        try stack.addDatabaseStore(
            fileURL: URL(fileURLWithPath: path), synchronous: durability == .full ? .full : .normal)
        world = try MainContext(stack: stack)
        updater = try Context(stack: stack, updateTarget: .persistentStore)
    }

    func close() throws {
        try reset()
        try stack.close()
    }

    func prepare(_ dataset: Dataset) throws {
        ids = Array(repeating: nil, count: dataset.count + 1)
        for id: ObjectID<Person> in try world.fetchAllID(Person.self) {
            guard let key = Int(id.uri.lastPathComponent.dropFirst()) else { throw BenchError("no key in \(id)") }
            ids[key] = id
        }
    }

    func reset() throws {
        list = nil
        draft = nil
        shown = nil
        world.reset()
    }

    func id(of key: Int64) throws -> ObjectID<Person> {
        guard let id = ids[Int(key)] else { throw BenchError("no person \(key)") }
        return id
    }
}
