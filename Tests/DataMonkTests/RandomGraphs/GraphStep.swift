import DataMonk
import DataMonkTesting

/// Something that happens to a context. Objects are called by their numbers.
enum GraphStep: Hashable, Sendable {
    /// A new object, put to another one where the model asks for that.
    case insert(Int, kind: String, number: Int, at: Int?)
    case set(Int, number: Int, key: String, to: ManagedValue)
    /// Sets a value of an object that is held, without a fetch before: the context may be behind.
    case setBehind(Int, number: Int, key: String, to: ManagedValue)
    case point(Int, number: Int, String, to: Int?)
    case hold(Int, number: Int, String, [Int])
    case delete(Int, number: Int)
    case save(Int)
    /// A save that the store fails.
    case failSave(Int, FaultInjectingStore.Place)
    /// A save during which the store fails to read, if it is asked.
    case failReading(Int)
    case rollback(Int)
    case undo(Int)
    case redo(Int)
    /// Ends the user event.
    case endEvent(Int)
    /// Forgets what could be undone.
    case forgetSteps(Int)
    case refresh(Int, number: Int, merges: Bool)
    case refreshAll(Int)
    case reset(Int)
    case merge(Int)
    case endTurn(Int)
    case look(Int)

    /// Whose step it is.
    var context: Int {
        switch self {
        case .insert(let context, _, _, _), .set(let context, _, _, _), .setBehind(let context, _, _, _),
            .point(let context, _, _, _), .hold(let context, _, _, _), .delete(let context, _), .save(let context),
            .failSave(let context, _), .failReading(let context), .rollback(let context), .undo(let context),
            .redo(let context),
            .endEvent(let context), .forgetSteps(let context), .refresh(let context, _, _), .refreshAll(let context),
            .reset(let context), .merge(let context), .endTurn(let context), .look(let context):
            context
        }
    }
}
