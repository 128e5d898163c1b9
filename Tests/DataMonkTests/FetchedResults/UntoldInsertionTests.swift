#if Macros
    import DataMonk
    import Testing

    /// Lists that have been fetched between the merge of an insertion and the notice of it.
    @Suite struct `Lists before the notice of an insertion` {
        /// A list that shows Ann, and Ann as the other context that has inserted her knows her.
        private func makeStage(_ kind: StoreKind) throws -> (ResultsStage, Office.Employee, ManagedObjectContext) {
            let stage = try ResultsStage(kind)
            let other = stage.office.newContext()
            let ann = try other.employee("Ann")
            ann.note = "a"
            try other.save()
            try stage.controller.refetch()
            #expect(try stage.look() == ["+a@0", "+0.0"])
            return (stage, ann, other)
        }

        @Test(arguments: StoreKind.allCases)
        func `an object that others change before that is told as updated`(kind: StoreKind) throws {
            let (stage, ann, other) = try makeStage(kind)
            ann.age = 7
            try other.save()
            stage.context.mergeCommits()
            #expect(try stage.look() == ["*0.0"])
            #expect(stage.controller.fetchedObjects?.map(\.age) == [7])
        }

        @Test(arguments: StoreKind.allCases)
        func `an object that others delete before that leaves`(kind: StoreKind) throws {
            let (stage, ann, other) = try makeStage(kind)
            other.delete(ann)
            try other.save()
            stage.context.mergeCommits()
            #expect(try stage.look() == ["-a@0", "-0.0"])
        }
    }
#endif
