#if Macros
    import DataMonk
    import Foundation

    extension PersistentStoreCoordinator {
        /// Saves contexts in one transaction of the store, in their order: the queue is held until all of them wait, but for
        /// those that have nothing to commit.
        func saveTogether(_ contexts: [ManagedObjectContext]) -> [Result<Void, any Error>] {
            let ends = Locked<[Int: Result<Void, any Error>]>([:])
            let (isHeld, isReleased) = (Locked(false), Locked(false))
            // nonisolated(unsafe): a thread each, and this one waits for all.
            nonisolated(unsafe) let contexts = contexts
            let done = DispatchGroup()
            func start(_ body: @escaping @Sendable () -> Void) {
                done.enter()
                Thread.detachNewThread {
                    body()
                    done.leave()
                }
            }
            start { [self] in
                let holder = ManagedObjectContext(coordinator: self)
                let request = BatchInsertRequest(entityName: model.entities[0].name) { _ in
                    isHeld.withLock { $0 = true }
                    while !isReleased.withLock({ $0 }) { sched_yield() }
                    return true
                }
                // Reason for try?: nothing is inserted, and nothing can fail that a save would not meet as well.
                _ = try? holder.execute(request)
            }
            while !isHeld.withLock({ $0 }) { sched_yield() }
            for index in contexts.indices {
                let waiting = waitingCommits
                start {
                    let end = Result { try contexts[index].save() }
                    ends.withLock { $0[index] = end }
                }
                while waitingCommits == waiting, ends.withLock({ $0[index] == nil }) { sched_yield() }
            }
            isReleased.withLock { $0 = true }
            done.wait()
            return contexts.indices.map { index in ends.withLock { $0[index] } ?? .success(()) }
        }
    }
#endif
