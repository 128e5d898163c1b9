import DataMonk
import Dispatch
import Foundation

/// **Value.** A way that the compiler lets an object take out of its update, or what is done to the object elsewhere: one
/// for each kind of hole in the table of leaks that the owner check stops.
enum WayOut: String, CaseIterable, Codable, Sendable {
    case keyPath, cast, inheritedIsolation, asynchronousSequence, groupNotification, error, progress
    // Out by a work item, and then:
    case attribute, toOne, toMany, settingAttribute, settingToOne, settingToMany, value, settingValue
    case firstWrite, insertion
    // Out by an object of no isolation, and used once the step has ended:
    case firstWriteAfterStep, insertionAfterStep

    /// Indicates whether the program stops in every build. What is read, and an object that was written before, is asked for
    /// its owner in debug builds and with the trait `OwnerChecks` only.
    var isStoppedAlways: Bool {
        switch self {
        case .firstWrite, .insertion, .firstWriteAfterStep, .insertionAfterStep: true
        default: false
        }
    }

    /// What the program says when it stops.
    ///
    /// - Parameter isEveryAccessChecked: Whether objects are asked too, and not their contexts alone.
    func explanation(isEveryAccessChecked: Bool) -> String {
        switch self {
        case .insertionAfterStep: "An update or a read was used after its body had returned."
        case .insertion: Self.ofContexts
        case .firstWrite, .firstWriteAfterStep: isEveryAccessChecked ? Self.ofObjects : Self.ofContexts
        default: Self.ofObjects
        }
    }

    private static let ofContexts = "A context was used outside the code that owns it"
    private static let ofObjects = "An object was used outside the code that owns its context"

    func run() async throws {
        let stack = try Stack(Knight.self)
        try stack.addInMemoryStore()
        let context = try Context(stack: stack)
        switch self {
        case .inheritedIsolation: try Self.waitForLater(context)
        case .firstWriteAfterStep, .insertionAfterStep: try await useAfterStep(context)
        default: try await context.update { try await take(try $0.create(Knight.self), in: $0) }
        }
    }

    nonisolated(nonsending) private func take(_ knight: Knight, in update: Update) async throws {
        switch self {
        case .keyPath:
            let path = \Strengths.[knight]
            await Task.detached { print(Strengths()[keyPath: path]) }.value
        case .cast:
            switch knight {
            case let shared as any Sendable: await Task.detached { print((shared as? Knight)?.strength as Any) }.value
            default: break
            }
        case .asynchronousSequence: for await knight in Knights(knight: knight) { print(knight) }
        case .groupNotification:
            Self.waitFor {
                DispatchGroup().notify(queue: .global(), execute: $0)
            } toRun: {
                print(knight.strength)
            }
        case .error:
            let error: any Error = NSError(domain: "Knights", code: 1, userInfo: ["knight": knight])
            await Task.detached { print(((error as NSError).userInfo["knight"] as? Knight)?.strength as Any) }.value
        case .progress:
            let progress = Progress(totalUnitCount: 1)
            progress.setUserInfoObject(knight, forKey: ProgressUserInfoKey("knight"))
            await Task.detached {
                print((progress.userInfo[ProgressUserInfoKey("knight")] as? Knight)?.strength as Any)
            }
            .value
        default:
            if self == .firstWrite { try update.commit() }
            Self.waitFor {
                DispatchQueue.global().async(execute: DispatchWorkItem(block: $0))
            } toRun: {
                use(knight, in: update)
            }
        }
    }

    private func use(_ knight: Knight, in update: Update) {
        switch self {
        case .toOne: print(knight.liege as Any)
        case .toMany: print(knight.vassals)
        case .settingAttribute: knight.strength = 1
        case .settingToOne: knight.liege = knight
        case .settingToMany: knight.vassals = [knight]
        // An error would be no stop.
        case .value: print((try? knight.value(forKey: "strength")) as Any)
        case .settingValue: try? knight.setValue(.int(3), forKey: "strength")
        case .firstWrite: knight.strength = 1
        case .insertion: _ = try? update.create(Knight.self)
        default: print(knight.strength)
        }
    }

    private func useAfterStep(_ context: Context) async throws {
        let kept = Kept()
        try await context.update { update in
            kept.update = update
            kept.knight = try update.create(Knight.self)
            try update.commit()
        }
        switch self {
        case .insertionAfterStep: _ = try kept.update?.create(Knight.self)
        default: kept.knight?.strength = 1
        }
    }

    private static func waitFor(_ begin: (@escaping () -> Void) -> Void, toRun body: @escaping () -> Void) {
        let end = DispatchSemaphore(value: 0)
        begin {
            body()
            end.signal()
        }
        end.wait()
    }

    private static func waitForLater(_ context: Context) throws {
        try context.beginUpdateAndWait { update in
            let end = DispatchSemaphore(value: 0)
            later(try update.create(Knight.self), end)
            end.wait()
        }
    }

    /// In a step that is waited for there is no actor to inherit: the task runs anywhere.
    private static func later(
        _ knight: Knight, _ end: DispatchSemaphore, isolation: isolated (any Actor)? = #isolation
    ) {
        Task {
            _ = isolation
            print(knight.strength)
            end.signal()
        }
    }
}

// @unchecked Sendable: written in a step, read after it.
/// **Shared.** Lets a step's update and an object out.
private final class Kept: @unchecked Sendable {
    var update: Update?
    var knight: Knight?
}

struct Strengths: Sendable {
    subscript(knight: Knight) -> Int { knight.strength }
}

struct Knights: AsyncSequence, AsyncIteratorProtocol {
    var knight: Knight?

    @concurrent mutating func next() async -> Knight? {
        knight?.strength += 1
        defer { knight = nil }
        return knight
    }

    func makeAsyncIterator() -> Knights { self }
}

/// Written by hand, for packages without macros are checked as well.
final class Knight: ManagedObject {
    var strength: Int {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var liege: Knight? {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var vassals: Set<Knight> {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }

    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Knight", class: Knight.self,
            properties: [
                .property("strength", Int.self, default: 0),
                .property("liege", Knight?.self, inverse: "vassals"),
                .property("vassals", Set<Knight>.self),
            ])
    }
    override nonisolated class var keyNames: [AnyKeyPath: String] {
        [\Knight.strength: "strength", \Knight.liege: "liege", \Knight.vassals: "vassals"]
    }
}
