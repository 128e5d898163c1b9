public import DataMonkCore
public import Foundation
import Logging

/// **Shared.** A model and its stores, the base of every context.
///
///     let stack = try Stack(Person.self)
///     try stack.addDatabaseStore(fileURL: url)
///     let World = try MainContext(stack: stack)
/// Errors that no caller can catch, such as a failed read of a property's row or an error in an update that is not awaited,
/// go to the handler set with ``onError(_:)``. Without a handler they are logged under the label `DataMonk`.
public final class Stack: Sendable {
    /// **Value.** The kind of root context, for applications whose updates go through one.
    public enum RootContextType: Sendable, Hashable {
        /// No root context.
        case none
        /// One root context, shared by all updates.
        case shared
    }

    /// The model.
    public let model: ManagedObjectModel
    /// The kind of root context.
    public let rootContextType: RootContextType
    /// The order of the updates of its contexts, where a context is not made with an order of its own.
    public let updateOrder: UpdateOrder
    /// The engine's coordinator.
    public let coordinator: PersistentStoreCoordinator

    let trace: (@Sendable (String) -> Void)?
    /// Returns other versions of the model, for migrating stores that do not contain their own model.
    let earlierModels: @Sendable () -> [Result<ManagedObjectModel, any Error>]
    private let errors: Locked<Errors>
    private let ownDeadline = Locked(Duration.seconds(30))
    /// The open stores. Adding a file again with the same options does nothing.
    let openStores = Locked<[StoreDescription]>([])
    /// The main contexts that may be reading from the stores in the main actor's current turn.
    let mainContexts = Locked<[WeakMainContext]>([])
    /// The watches over the stores, for those who follow other processes' commits.
    let watches = Locked(Watches())
    /// Updates that run once more do so one at a time: a thousand writers of one row would run half a million bodies.
    let retries = UpdateGate()
    /// The root context, once somebody has asked for it.
    private let root = Locked<RootContext?>(nil)
    /// Stores are opened and closed one at a time.
    let storeGate = UpdateGate()
    /// The keys that imports are working on.
    let importKeys = ImportKeys()

    private struct Errors {
        var handler: (@Sendable (any Error) -> Void)?
        var last: (any Error)?
    }

    /// Creates a stack for entity classes, including all classes that they inherit from or that their relationships lead to.
    ///
    /// `Stack()` without a class takes the model of the application's bundle: see
    /// ``init(bundle:classes:rootContext:updateOrder:trace:)``.
    ///
    /// - Throws: ``/DataMonkCore/ModelError`` with every problem of the model.
    public convenience init(
        _ first: ManagedObject.Type, _ others: ManagedObject.Type..., rootContext: RootContextType = .shared,
        updateOrder: UpdateOrder = .default, trace: (@Sendable (String) -> Void)? = nil
    ) throws {
        try self.init(
            model: ManagedObjectModel(classes: [first] + others), rootContext: rootContext, updateOrder: updateOrder,
            trace: trace)
    }

    /// Creates a stack for a model.
    ///
    /// - Parameters:
    ///   - model: the entities.
    ///   - earlierModels: versions of the model that stores may be of which do not hold their own: those written by the
    ///     first versions of Core Data.
    ///   - rootContext: whether there is a root context.
    ///   - updateOrder: whether updates of its contexts may run at the same time; `.serial` is one line for all of them.
    ///   - trace: called with each SQL statement as it begins to run, on the thread that runs it; values are not shown.
    ///     It must not use the stack.
    public convenience init(
        model: ManagedObjectModel, earlierModels: [ManagedObjectModel] = [], rootContext: RootContextType = .shared,
        updateOrder: UpdateOrder = .default, trace: (@Sendable (String) -> Void)? = nil
    ) {
        self.init(model: model, rootContext: rootContext, updateOrder: updateOrder, trace: trace) {
            earlierModels.map { .success($0) }
        }
    }

    /// Creates a stack for one version of an Xcode model. The other versions serve to migrate stores.
    ///
    ///     let stack = try Stack(ModelBundle(contentsOf: url), classes: [Person.self])
    ///
    /// - Parameters:
    ///   - bundle: the versions of the model.
    ///   - versionName: the version; nil for the current one.
    ///   - classes: the classes that the model's class names stand for.
    ///   - rootContext: whether there is a root context.
    ///   - updateOrder: whether updates of its contexts may run at the same time; `.serial` is one line for all of them.
    ///   - trace: called with each SQL statement as it begins to run, on the thread that runs it; values are not shown.
    ///     It must not use the stack.
    /// A version that cannot be read is an error only where it is needed: it is the one asked for, or none of the others is
    /// that of a store.
    ///
    /// - Throws: ``/DataMonkCore/ModelError`` with every problem of the version.
    public convenience init(
        _ bundle: ModelBundle, versionName: String? = nil, classes: [ManagedObject.Type] = [],
        rootContext: RootContextType = .shared, updateOrder: UpdateOrder = .default,
        trace: (@Sendable (String) -> Void)? = nil
    ) throws {
        let model = try bundle.model(versionName: versionName, classes: classes)
        self.init(model: model, rootContext: rootContext, updateOrder: updateOrder, trace: trace) {
            bundle.versionNames.map { name in Result { try bundle.model(versionName: name) } }
        }
    }

    private init(
        model: ManagedObjectModel, rootContext: RootContextType, updateOrder: UpdateOrder,
        trace: (@Sendable (String) -> Void)?,
        earlierModels: @escaping @Sendable () -> [Result<ManagedObjectModel, any Error>]
    ) {
        self.model = model
        self.earlierModels = earlierModels
        rootContextType = rootContext
        self.updateOrder = updateOrder.shared
        self.trace = trace
        coordinator = PersistentStoreCoordinator(model: model, commonObservers: Self.observersOfProgram)
        errors = Locked(Errors())
        let errors = errors
        coordinator.setErrorHandler { error in Self.handle(error, with: errors) }
    }

    // MARK: Errors

    /// Sets the handler of errors that no caller can catch. It is called on the thread where the error occurs, once for each
    /// error. Each one is also written to the log with the label `DataMonk`, with a handler and without. See
    /// <doc:UncaughtErrors> for what is reported.
    public func onError(_ handler: (@Sendable (any Error) -> Void)?) {
        errors.withLock { $0.handler = handler }
    }

    /// The last error that no caller could catch.
    public var lastError: (any Error)? { errors.withLock { $0.last } }

    /// Passes an error to the handler, to ``lastError`` and to the log, as the stack does with its own: for errors of an
    /// application that no caller can catch either.
    ///
    ///     World.beginUpdate { update in
    ///         do { try importFeeds(update) } catch { stack.handleError(error) }
    ///     }
    public func handleError(_ error: any Error) { Self.handle(error, with: errors) }

    private static func handle(_ error: any Error, with errors: Locked<Errors>) {
        let handler = errors.withLock { errors in
            errors.last = error
            return errors.handler
        }
        // Before the handler, which may end the program.
        Logger(label: "DataMonk").error("\(error)")
        handler?(error)
    }

    func warn(_ message: String) { Logger(label: "DataMonk").warning("\(message)") }

    /// The behavior of an access to a property that must first be read from the store, in contexts created from now on.
    public var lazyLoading: LazyLoading {
        get { coordinator.lazyLoading }
        set { coordinator.lazyLoading = newValue }
    }

    /// The default deadline of calls that block, such as `beginUpdateAndWait`: 30 seconds from the call to its return. A call
    /// or its context may set another one. Also the time after which an awaited call whose predecessor has suspended and
    /// makes no progress is looked into; see <doc:Waiting>.
    public var deadline: Duration {
        get { ownDeadline.withLock { $0 } }
        set { ownDeadline.withLock { $0 = newValue } }
    }

    /// Registers a transformer, which converts the values of transformable attributes to bytes and back. It serves all
    /// attributes whose model names it.
    ///
    ///     stack.register(ColorTransformer(), forName: "ColorTransformer")
    ///
    /// Attributes without a named transformer need none; see ``/DataMonkCore/Transformable``.
    public func register(_ transformer: any AttributeTransformer, forName name: String) {
        coordinator.register(transformer, forName: name)
    }

    // MARK: Root context

    /// The root context, or `nil` for a stack that was created with `rootContext: .none`.
    public var rootContext: RootContext? {
        if rootContextType == .none { return nil }
        return root.withLock { root in
            let context = root ?? RootContext(of: self)
            root = context
            return context
        }
    }

    func require(_ target: UpdateTarget) throws {
        guard case .rootContext = target, rootContextType == .none else { return }
        throw UpdateError(
            code: .invalidTarget,
            message: """
                The target .rootContext requires a root context, but this stack has none. Create the stack with \
                Stack(…, rootContext: .shared), or use .persistentStore.
                """)
    }

    // MARK: Observing

    /// Those who observe the commits of all stacks of the program.
    ///
    /// No list of the stacks: reading it would keep each of them alive for a moment, and a stack that is dropped meanwhile
    /// would give its stores back late, on the reader's thread.
    private static let observersOfProgram = SharedObservers<ChangeSet>()

    /// Calls a block after each commit of every stack of the program, on the committing thread.
    static func observeCommitsOfProgram(_ block: @escaping @Sendable () -> Void) -> CommitObserver {
        let token = observersOfProgram.add { _ in block() }
        return CommitObserver { observersOfProgram.remove(token) }
    }

    /// Calls a block after each commit, on the committing thread, and when commits of another process are found.
    func observeEachCommit(_ block: @escaping @Sendable () -> Void) -> CommitObserver {
        observeChangeSets { _ in block() }
    }

    /// Calls a block with what each commit has changed, on the committing thread, and when commits of another process are
    /// found.
    func observeChangeSets(_ block: @escaping @Sendable (ChangeSet) -> Void) -> CommitObserver {
        followOtherProcesses()
        let observers = coordinator.commitObservers
        let token = observers.add(block)
        return CommitObserver { observers.remove(token) }
    }

    /// Calls a block with the entities and slots that commits have changed, on the committing thread, and when commits of
    /// another process are found or stores are added or closed.
    func observeChangeSummaries(_ block: @escaping @Sendable (ChangeSummary) -> Void) -> CommitObserver {
        followOtherProcesses()
        let observers = coordinator.summaryObservers
        let token = observers.add(block)
        return CommitObserver { observers.remove(token) }
    }

    /// A stream of all commits from now on.
    var commits: AsyncStream<Commit> {
        let feed = CommitFeed()
        let observer = observe { feed.add($0) }
        return AsyncStream {
            await feed.next()
        } onCancel: {
            observer.cancel()
        }
    }

    private func observe(_ block: @escaping @Sendable (Commit) -> Void) -> CommitObserver {
        let directory = coordinator.directory
        return observeChangeSets { changes in
            func ids(_ keys: some Sequence<ObjectKey>) -> [AnyObjectID] {
                keys.map { AnyObjectID(key: $0, directory: directory) }
            }
            let batch = changes.batch.flatMap { $0.isListed ? $0 : nil }
            block(
                Commit(
                    inserted: ids(batch?.inserted ?? changes.inserted.map(\.key)),
                    updated: ids(
                        batch.map { $0.updated + $0.followers }
                            ?? (changes.updated.map(\.key) + changes.consequences.map(\.key))),
                    deleted: ids(batch?.deleted ?? changes.deleted.map(\.key)),
                    isEverything: changes.comesWithForeignChanges || changes.batch?.isListed == false))
        }
    }

    // MARK: Ids

    /// Returns the id for a URI written by ``/DataMonkCore/AnyObjectID/uri``, or `nil` if it belongs to none of the stack's
    /// stores.
    ///
    /// An id does not imply that its object exists; `use(_:)` finds out. `ObjectID(id, as: Person.self)` is the same id with
    /// its class.
    public func objectID(forURI uri: URL) -> AnyObjectID? {
        coordinator.directory.key(of: uri).map { AnyObjectID(key: $0, directory: coordinator.directory) }
    }
}
