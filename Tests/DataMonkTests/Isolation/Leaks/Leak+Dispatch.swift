extension Leak {
    /// Objects in blocks of Dispatch; on Linux only some of its parameters are declared Sendable.
    static let dispatch: [Leak] = [
        .ofUpdate(
            "a queue, later", .capture,
            "DispatchQueue.global().asyncAfter(deadline: .now()) { hero.age = 1 } // refused"),
        .ofUpdate(
            "a queue behind a barrier", .capture,
            """
            DispatchQueue.global().async(group: nil, qos: .default, flags: .barrier) { hero.age = 1 } // refused
            """),
        .ofUpdate(
            "concurrent iterations", .capture,
            "DispatchQueue.concurrentPerform(iterations: 8) { _ in hero.age += 1 } // refused"),
        .program(
            "a callback of any kind on a queue", .capture,
            declarations: """
                nonisolated static func find(_ answer: @escaping (Int) -> Void) {
                    DispatchQueue.global().async { answer(3) } // refused
                }
                """),
        .program(
            "a fetch of the main context on a queue", .refused(.flow, ["rbi_isolation_crossing_result"]),
            place: .offMain,
            "DispatchQueue.global().async { _ = try? World.fetch(Person.self).age } // refused"),
        .program(
            "a queue's value for a global key",
            .refused(.types, ["nonisolated_non_sendable", "shared_immutable_state_decl"]),
            declarations: "nonisolated static let key = DispatchSpecificKey<Person>() // refused"),
        .ofUpdate(
            "a queue's value", .taskCapture,
            """
            let queue = DispatchQueue(label: "q")
            let key = DispatchSpecificKey<Person>()
            queue.setSpecific(key: key, value: hero)
            Task.detached { queue.getSpecific(key: key)?.age = 1 } // refused
            """),
        .ofUpdate(
            "a queue's value of any type", .silent(.author, stoppedBy: .ownerCheck),
            declarations: """
                nonisolated static let queue = DispatchQueue(label: "q")
                nonisolated(unsafe) static let key = DispatchSpecificKey<Any>()
                """,
            """
            queue.setSpecific(key: key, value: hero)
            queue.async { (DispatchQueue.getSpecific(key: key) as? Person)?.age = 1 }
            """),
        .ofUpdate(
            "a queue that is waited for", .harmless,
            "DispatchQueue.global().sync { hero.age = 1 }"),
        .ofUpdate(
            "a work item", .silent(.dispatch, stoppedBy: .ownerCheck),
            "DispatchQueue.global().async(execute: DispatchWorkItem { hero.age = 1 })"),
        .ofUpdate(
            "a group's notification", .silent(.dispatch, stoppedBy: .ownerCheck),
            "DispatchGroup().notify(queue: .global()) { hero.age = 1 }"),
        .ofUpdate(
            "a work item's notification", .silent(.dispatch, stoppedBy: .ownerCheck),
            "DispatchWorkItem {}.notify(queue: .global()) { hero.age = 1 }"),
        .ofUpdate(
            "a source's handler", .silent(.dispatch, stoppedBy: .ownerCheck),
            "DispatchSource.makeTimerSource(queue: .global()).setEventHandler { hero.age = 1 }"),
        .ofUpdate(
            "a source's work item", .silent(.dispatch, stoppedBy: .ownerCheck),
            """
            DispatchSource.makeTimerSource(queue: .global()).setEventHandler(handler: DispatchWorkItem { hero.age = 1 })
            """),
        .ofUpdate(
            "the deallocator of data", .silent(.dispatch, stoppedBy: .ownerCheck),
            """
            let bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            _ = DispatchData(bytesNoCopy: bytes, deallocator: .custom(.global(), { hero.age = 1 }))
            """),
        .ofUpdate(
            "a channel's handlers", .silent(.dispatch, stoppedBy: .ownerCheck),
            """
            let channel = DispatchIO(type: .stream, fileDescriptor: 0, queue: .global()) { _ in hero.age = 1 }
            channel.read(offset: 0, length: 1, queue: .global()) { _, _, _ in hero.age = 3 }
            """),
        .ofMain(
            "a work item with an object of the main context", .silent(.dispatch, stoppedBy: .ownerCheck),
            "DispatchQueue.global().async(execute: DispatchWorkItem { hero.age = 1 })"),
        .ofMain(
            "a group's notification with an object of the main context", .silent(.dispatch, stoppedBy: .ownerCheck),
            "DispatchGroup().notify(queue: .global()) { print(hero.age) }"),
        .ofUpdate(
            "a callback that a library calls in a work item", .silent(.dispatch, stoppedBy: .ownerCheck),
            declarations: """
                nonisolated static func find(_ answer: @escaping (Int) -> Void) {
                    DispatchQueue.global().async(execute: DispatchWorkItem { answer(3) })
                }
                """,
            "find { hero.age = $0 }"),
    ]
}
