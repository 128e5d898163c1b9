extension ManagedObjectContext {
    /// Checks the numbered invariants of ``EventJournal``'s design note, if there is a journal. Examines everything; for
    /// tests.
    package func checkJournal() throws(InvariantViolation) {
        guard let journal else { return }
        let name = "EventJournal"
        try require(journal.places.count == journal.touched.count, name, 1, "an object has two images")
        for (place, image) in journal.touched.enumerated() {
            let found = journal.places[ObjectIdentifier(image.object)]
            try require(found == place, name, 1, "an image at \(place) is found at \(found as Int?)")
        }
        for object in work.changed where journal.places[ObjectIdentifier(object)] == nil {
            try require(object.draft?.isWatched ?? true, name, 2, "\(object.key) can change without being recorded")
        }
        try require(journal.isNeeded || !work.changed.isEmpty, name, 3, "nobody reads the journal")
        try require(journal.told.isEmpty || callsAtWork > 0, name, 4, "an event is still being delivered")
    }
}
