import DataMonkCore

/// **Value.** The order of a context's updates: side by side, or one at a time.
public enum UpdateOrder: Sendable, Hashable {
    /// Updates run concurrently. The merge policy resolves conflicts between them.
    case `default`
    /// One update at a time, in the order of the calls; an update is over when its body returns, awaits included. A context
    /// that is made with it has a line of its own; a stack that is made with it has one for all of its contexts.
    case serial
    /// As `serial`, in one line with the updates of every context that is given the same one.
    case line(UpdateLine)
}

/// **Shared.** An order that the updates of several contexts, perhaps of several stacks, keep together: one at a time.
///
///     let line = UpdateLine()
///     let World = try MainContext(stack: stack, updateOrder: .line(line))
///     let Importer = try Context(stack: stack, updateOrder: .line(line))
///
/// `Stack(Person.self, updateOrder: .serial)` makes one for all contexts of the stack. Drafts and contexts of the engine
/// (`ManagedObjectContext`) stand outside of it: what they commit meets the merge policy.
public final class UpdateLine: Sendable {
    let gate = UpdateGate()

    /// Makes an empty line.
    public init() {}
}

extension UpdateLine: Hashable {
    /// Returns whether both are the same order.
    public static func == (left: UpdateLine, right: UpdateLine) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension UpdateOrder {
    /// The order for several contexts: one line for all of them, if it is serial.
    var shared: UpdateOrder { self == .serial ? .line(UpdateLine()) : self }

    /// The gate that all updates pass, or `nil` if they run side by side.
    var gate: UpdateGate? {
        switch self {
        case .default: nil
        case .serial: UpdateLine().gate
        case .line(let line): line.gate
        }
    }
}
