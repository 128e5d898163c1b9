extension Leak {
    /// Objects given to Foundation.
    static let foundation: [Leak] = [
        .ofUpdate(
            "a block operation", .capture,
            "OperationQueue().addOperation(BlockOperation { hero.age = 1 }) // refused"),
        .ofUpdate(
            "an operation queue", .capture,
            "OperationQueue().addOperation { hero.age = 1 } // refused"),
        .ofUpdate(
            "a run loop", .capture,
            "RunLoop.main.perform { hero.age = 1 } // refused"),
        .ofUpdate(
            "a thread", .capture,
            "Thread { hero.age = 1 }.start() // refused"),
        .ofUpdate(
            "a detached thread", .capture,
            "Thread.detachNewThread { hero.age = 1 } // refused"),
        .ofUpdate(
            "a timer", .capture,
            "_ = Timer(timeInterval: 1, repeats: false) { _ in hero.age = 1 } // refused"),
        .ofUpdate(
            "a file handle's reader", .capture,
            "FileHandle.standardInput.readabilityHandler = { _ in hero.age = 1 } // refused"),
        .ofUpdate(
            "a process's end", .capture,
            "Process().terminationHandler = { _ in hero.age = 1 } // refused"),
        .program(
            "a subclass of Thread", .refused(.types, ["inheritance_from_class_with_missing_vtable_entries"]),
            declarations: "nonisolated final class Worker: Thread { var person: Person? = nil } // refused"),
        .ofUpdate(
            "a final subclass of Operation", .warned(.foundation, ["restate_unchecked_sendable"]),
            declarations: """
                nonisolated final class Work: Operation {
                    let person: Person
                    init(_ person: Person) {
                        self.person = person
                        super.init()
                    }
                    override func main() { person.age = 1 }
                }
                """,
            "OperationQueue().addOperation(Work(hero))"),
        .ofUpdate(
            "a subclass of Operation in a task", .warned(.foundation, ["restate_unchecked_sendable"]),
            declarations: """
                nonisolated class Work: Operation {
                    var person: Person
                    init(_ person: Person) {
                        self.person = person
                        super.init()
                    }
                    override func main() { person.age = 1 }
                }
                """,
            """
            let work = Work(hero)
            Task.detached { work.main() }
            """),
        .ofUpdate(
            "an encoder's user info", .warned(.foundation, ["conformance_availability_unavailable"]),
            declarations: "nonisolated static let encoder = JSONEncoder()",
            "encoder.userInfo[CodingUserInfoKey(rawValue: \"hero\")!] = hero"),
        .ofUpdate(
            "a decoder's user info in a task", .warned(.foundation, ["conformance_availability_unavailable"]),
            """
            let (decoder, key) = (JSONDecoder(), CodingUserInfoKey(rawValue: "hero")!)
            decoder.userInfo[key] = hero
            Task.detached { (decoder.userInfo[key] as! Person).age = 1 }
            """),
        .ofUpdate(
            "a notification's object", .silent(.foundation, stoppedBy: .ownerCheck),
            "NotificationCenter.default.post(name: .init(\"hero\"), object: hero)"),
        .ofMain(
            "a notification's object of the main context", .silent(.foundation, stoppedBy: .ownerCheck),
            "NotificationCenter.default.post(name: .init(\"hero\"), object: hero)"),
        .program(
            "an observer of notifications on a queue", .silent(.foundation, stoppedBy: .ownerCheck),
            """
            _ = NotificationCenter.default.addObserver(forName: .init("hero"), object: nil, queue: OperationQueue()) {
                ($0.object as! Person).age = 1
            }
            """),
        .program(
            "an observer of notifications that begins a task", .taskCapture,
            """
            _ = NotificationCenter.default.addObserver(forName: .init("hero"), object: nil, queue: nil) { notification in
                Task.detached { (notification.object as! Person).age = 1 } // refused
            }
            """),
        .ofUpdate(
            "a notification in a task", .taskCapture,
            """
            let notification = Notification(name: .init("hero"), object: hero)
            Task.detached { print(notification.object as! Person) } // refused
            """),
        .ofUpdate(
            "a notification queue", .silent(.foundation, stoppedBy: .ownerCheck),
            declarations: """
                nonisolated static func post(_ person: Person) {
                    NotificationQueue.default.enqueue(Notification(name: .init("hero"), object: person), postingStyle: .whenIdle)
                }
                """,
            "post(hero)"),
        .ofUpdate(
            "a progress's user info", .silent(.foundation, stoppedBy: .ownerCheck),
            declarations: "nonisolated static let progress = Progress(totalUnitCount: 1)",
            """
            progress.setUserInfoObject(hero, forKey: .init("hero"))
            Task.detached { (progress.userInfo[.init("hero")] as! Person).age = 1 }
            """),
        .ofUpdate(
            "user defaults", .silent(.foundation, stoppedBy: .ownerCheck),
            "UserDefaults.standard.register(defaults: [\"hero\": hero])"),
    ]
}
