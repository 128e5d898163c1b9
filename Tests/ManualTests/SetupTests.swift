#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// "Getting started" and the advanced set-ups of CoreDataMonk's manual. Each is a program's beginning with a store in
    /// the home folder: it runs in a process of its own, in an empty one.
    @Suite struct SetupTests {
        @Test func `the default`() async {
            await #expect(processExitsWith: .success) {
                try await Home.run { @MainActor in
                    #expect(DefaultApplication().application())
                    try await Home.checkUpdate(of: World)
                }
            }
        }

        @Test func `two stores`() async {
            await #expect(processExitsWith: .success) {
                try await Home.run { @MainActor in
                    #expect(TwoStoresApplication().application())
                    try await Home.checkUpdate(of: World)
                    try await World.update { update in
                        try update.create(Visit.self).page = "first"
                        try update.commit()
                    }
                    #expect(try World.count(Visit.self) == 1)
                }
            }
        }

        @Test func `two tiers with automatic merge`() async {
            await #expect(processExitsWith: .success) {
                try await Home.run { @MainActor in
                    #expect(MergingApplication().application())
                    try await Home.checkUpdate(of: World)
                }
            }
        }

        @Test func `serial order`() async {
            await #expect(processExitsWith: .success) {
                try await Home.run { @MainActor in
                    #expect(SerialApplication().application())
                    try await Home.checkUpdate(of: World)
                }
            }
        }

        @Test func `a main context for each view controller`() async {
            await #expect(processExitsWith: .success) {
                try await Home.run { @MainActor in
                    #expect(ScreensApplication().application())
                    let controller = ViewController()
                    controller.viewDidLoad()
                    let commits = Updater.commits
                    BackgroundWorker().process()
                    for await _ in commits { break }
                    while controller.reloads == 0 { await Task.yield() }
                    let count = try controller.context.count(Person.self)
                    #expect(count == 1)
                }
            }
        }
    }

    // MARK: The manual's programs

    // first pick the name you want for the global main context
    @MainActor var World: CoreDataMainContext!

    // Changed, here and below: on the main actor, where an application delegate is.
    @MainActor private struct DefaultApplication {
        func application() -> Bool {
            do {
                let dataStack = try CoreDataStack()
                try dataStack.addDatabaseStore()
                World = try CoreDataMainContext(stack: dataStack)
            } catch let error {
                fatalError("fail to init core data: \(error)")
            }
            return true
        }
    }

    @MainActor private struct TwoStoresApplication {
        func application() -> Bool {
            do {
                let dataStack = try CoreDataStack()
                try dataStack.addInMemoryStore(configuration: "InMemory")
                try dataStack.addDatabaseStore(configuration: "Database", resetOnFailure: true)
                World = try CoreDataMainContext(stack: dataStack)
            } catch let error {
                fatalError("fail to init core data: \(error)")
            }
            return true
        }
    }

    @MainActor private struct MergingApplication {
        func application() -> Bool {
            do {
                let dataStack = try CoreDataStack()
                try dataStack.addDatabaseStore(resetOnFailure: true)
                World = try CoreDataMainContext(stack: dataStack, updateTarget: .RootContext(autoMerge: true))
            } catch let error {
                fatalError("fail to init core data: \(error)")
            }
            return true
        }
    }

    @MainActor private struct SerialApplication {
        func application() -> Bool {
            do {
                let dataStack = try CoreDataStack()
                try dataStack.addDatabaseStore(resetOnFailure: true)
                World = try CoreDataMainContext(stack: dataStack, updateOrder: .Serial)
            } catch let error {
                fatalError("fail to init core data: \(error)")
            }
            return true
        }
    }

    @MainActor private var DataStack: Stack!
    @MainActor private var Updater: CoreDataContext!

    @MainActor private struct ScreensApplication {
        func application() -> Bool {
            do {
                DataStack = try CoreDataStack(rootContext: .None)
                try DataStack.addDatabaseStore(resetOnFailure: true)
                Updater = try CoreDataContext(stack: DataStack, updateTarget: .PersistentStore)
            } catch let error {
                fatalError("fail to init core data: \(error)")
            }
            return true
        }
    }

    @MainActor private final class ViewController {
        var context: CoreDataMainContext!

        // it is important to keep this reference, it will removeObserver after it is de-inited
        var observer: AnyObject!

        var reloads = 0

        func viewDidLoad() {
            do {
                self.context = try CoreDataMainContext(stack: DataStack, updateTarget: .PersistentStore)
                self.observer = Updater.observeCommit() {
                    self.context.reset()
                    // reload data here
                    self.reloads += 1
                }
            } catch let error {
                fatalError("fail to init main context: \(error)")
            }
        }
    }

    @MainActor private final class BackgroundWorker {
        func process() {
            Updater.beginUpdate() {
                update in

                try update.create(Person.self).name = "Monk"
                try update.commit()
            }
        }
    }

    /// An empty home folder, for the process that runs in it.
    private enum Home {
        static func run(_ body: @MainActor () async throws -> Void) async throws {
            let home = FileManager.default.temporaryDirectory.appending(path: "DataMonk manual \(UUID())")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            setenv("HOME", home.path, 1)
            setenv("XDG_DATA_HOME", home.path, 1)
            try await body()
            let files = try FileManager.default.contentsOfDirectory(atPath: home.path)
            #expect(!files.isEmpty, "No store was made in \(home.path).")
            try FileManager.default.removeItem(at: home)
        }

        @MainActor static func checkUpdate(of World: CoreDataMainContext) async throws {
            try await World.update { update in
                try update.create(Person.self).name = "Monk"
                try update.commit()
            }
            #expect(try World.fetchAll(Person.self).map(\.name) == ["Monk"])
        }
    }
#endif
