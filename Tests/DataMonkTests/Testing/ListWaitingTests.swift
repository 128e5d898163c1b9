#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// `waitUntilListsAreCurrent` of `DataMonkTesting`.
    @Suite @MainActor struct `Waiting for lists` {
        private let World: MainContext

        init() throws { World = try MainContext(stack: .inMemory(Person.self)) }

        /// Commits people without a turn of the main actor, so that nothing has been merged when it returns.
        private func add(_ count: Int, to context: some Updating) throws {
            try context.beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                for number in 0..<count { try update.create(Person.self).age = number }
                try update.commit()
            }
        }

        private func list() throws -> FetchedResults<Person> {
            try World.fetchedResults(Person.self, orderBy: .Ascending("age"))
        }

        @Test(arguments: [1, 1_000, 5_000])
        func `a list has all objects of a commit, and its observers were told once`(count: Int) async throws {
            let people = try list()
            var told: [Int] = []
            let observation = people.observeChanges { told.append($0.objects.count) }
            try add(count, to: World)
            #expect(people.count == 0)
            try await World.waitUntilListsAreCurrent()
            #expect(people.count == count && told == [count])
            try await World.waitUntilListsAreCurrent()
            #expect(told == [count])
            observation.cancel()
        }

        @Test func `a call that has fetched meanwhile leaves the notices to be waited for`() async throws {
            let people = try list()
            try add(3, to: World)
            #expect(try World.count(Person.self) == 3)
            try await World.waitUntilListsAreCurrent()
            #expect(people.count == 3)
        }

        @Test func `it returns at once where there is no list and no commit`() async throws {
            try await World.waitUntilListsAreCurrent(deadline: .zero)
            try add(1, to: World)
            try await World.waitUntilListsAreCurrent()
            try await World.waitUntilListsAreCurrent(deadline: .zero)
        }

        @Test func `a draft that was reset keeps nobody waiting`() async throws {
            let draft = World.draft()
            try draft.create(Person.self).age = 1
            draft.managedObjectContext.reset()
            try await World.waitUntilListsAreCurrent(deadline: .zero)
            try add(1, to: World)
            try await World.waitUntilListsAreCurrent()
            withExtendedLifetime(draft) {}
        }

        @Test func `commits during the wait do not prolong it`() async throws {
            let people = try list()
            try add(5_000, to: World)
            let waiting = Task { try await World.waitUntilListsAreCurrent() }
            await Task.yield()
            try add(5_000, to: World)
            try await waiting.value
            #expect(people.count >= 5_000)
            try await World.waitUntilListsAreCurrent()
            #expect(people.count == 10_000)
        }

        @Test func `lists of drafts are waited for`() async throws {
            let draft = World.draft()
            let controller = try FetchedResultsController<Person>(
                context: draft.managedObjectContext, request: request())
            try controller.performFetch()
            try add(2, to: World)
            try await World.waitUntilListsAreCurrent()
            #expect(controller.count == 2)
        }

        private func request() -> FetchRequest {
            var request = FetchRequest(entityName: "Person")
            request.sortTerms = [SortTerm("age")]
            return request
        }

        @Test func `a deadline says what has not caught up`() async throws {
            let people = try list()
            try add(2, to: World)
            try add(1, to: World)
            let error = await #expect(throws: UpdateError.self) {
                try await World.waitUntilListsAreCurrent(deadline: .zero)
            }
            #expect(error?.code == .deadlinePassed && error?.message.contains("2 commits are not shown") == true)
            try await World.waitUntilListsAreCurrent()
            #expect(people.count == 3)
        }

        @Test func `lists that have not been told of a large commit are named`() async throws {
            let people = try list()
            try add(100, to: World)
            let context = World.managedObjectContext
            let newest = context.coordinator.publishedGeneration
            // It is prepared in several turns, shown in one, and told in the next.
            for _ in 0..<10 where context.lag(behind: newest) != .notices {
                _ = context.mergeCommits(examiningAtMost: 50)
            }
            #expect(people.count == 0)
            let error = await #expect(throws: UpdateError.self) {
                try await World.waitUntilListsAreCurrent(deadline: .zero)
            }
            #expect(error?.message.contains("have not been told") == true)
            try await World.waitUntilListsAreCurrent()
            #expect(people.count == 100)
        }

        @Test(arguments: [UpdateTarget.persistentStore, .rootContext(autoMerge: false)])
        func `a context that does not follow commits is refused`(target: UpdateTarget) async throws {
            let screen = try MainContext(stack: World.stack, updateTarget: target)
            let error = await #expect(throws: UpdateError.self) { try await screen.waitUntilListsAreCurrent() }
            #expect(error?.code == .invalidTarget && error?.message.contains("refreshAll()") == true)
        }

        @Test func `a cancelled task stops waiting`() async throws {
            let people = try list()
            let waiting = Task {
                try add(1, to: World)
                withUnsafeCurrentTask { $0?.cancel() }
                try await World.waitUntilListsAreCurrent()
            }
            await #expect(throws: CancellationError.self) { try await waiting.value }
            try await World.waitUntilListsAreCurrent()
            #expect(people.count == 1)
        }
    }
#endif
