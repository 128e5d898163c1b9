import Foundation

/// **Confined.** The files of large values that code of stages has written. They go if the migration is rolled back.
///
/// A transaction of the code keeps its files when it ends, because the rows that name them are part of the migration's.
final class StageFiles {
    private var folders: [(folder: ExternalDataFolder, isNew: Bool)] = []

    /// Adds the folder of one stage, before anything is written to it.
    ///
    /// - Throws: ``StoreError`` if it cannot be opened.
    func add(_ folder: ExternalDataFolder) throws {
        folder.listWrittenFiles()
        folders.append((folder, try folder.open(creating: false) == nil))
    }

    /// Removes the files, and a folder that was made for them. No row names them: nothing of the migration was committed.
    func remove() {
        // The one that made the folder comes last.
        for (folder, isNew) in folders.reversed() {
            folder.removeListedFiles()
            if isNew { folder.removeIfEmpty() }
            folder.release()
        }
        folders = []
    }
}

@available(*, unavailable)
extension StageFiles: Sendable {}
