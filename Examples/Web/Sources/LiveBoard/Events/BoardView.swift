import DataMonk
import Foundation

/// **Confined**, to the main actor. The view that the list is bound to: it makes an event of each change.
@MainActor
final class BoardView: CollectionListView {
    private let provider: ListDataProvider<Job, JobInfo>
    private var knownCount: Int?
    private var steps = BoardEvent.Steps()
    private var batch: (sections: IndexSet, inserted: [IndexPath], moved: [ListUpdate.Move]) = ([], [], [])
    private var needsReload = true

    init(of provider: ListDataProvider<Job, JobInfo>) { self.provider = provider }

    var numberOfSections: Int {
        let count = knownCount ?? provider.numberOfSections
        knownCount = count
        return count
    }

    func reloadData() {
        (knownCount, needsReload) = (nil, true)
    }

    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) {
        updates?()
        knownCount = provider.numberOfSections
        steps.insertedSections += batch.sections.map(section)
        steps.inserted += batch.inserted.compactMap(row)
        steps.moved += batch.moved.compactMap { move in
            provider.cell(at: move.destination).map {
                .init(from: Array(move.source), to: Array(move.destination), job: $0)
            }
        }
        batch = ([], [], [])
        completion?(true)
    }

    func insertSections(_ sections: IndexSet) { batch.sections.formUnion(sections) }
    func deleteSections(_ sections: IndexSet) { steps.deletedSections += sections }
    func insertItems(at indexPaths: [IndexPath]) { batch.inserted += indexPaths }
    func deleteItems(at indexPaths: [IndexPath]) { steps.deleted += indexPaths.map(Array.init) }
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        batch.moved.append(ListUpdate.Move(source: indexPath, destination: newIndexPath))
    }

    func reloadItems(at indexPaths: [IndexPath]) { steps.reloaded += indexPaths.compactMap(row) }

    private func row(at path: IndexPath) -> BoardEvent.Row? {
        provider.cell(at: path).map { BoardEvent.Row(at: Array(path), job: $0) }
    }

    private func section(_ index: Int) -> BoardEvent.Section {
        let jobs = (0..<provider.numberOfObjects(inSection: index)).compactMap { provider.cell(at: [index, $0]) }
        return BoardEvent.Section(index: index, title: provider.title(ofSection: index) ?? "", jobs: jobs)
    }

    /// Everything that is shown.
    var everything: BoardEvent { .all((0..<provider.numberOfSections).map(section)) }

    /// Returns the change since the last call.
    func takeChange() -> BoardEvent {
        defer { (steps, needsReload) = (BoardEvent.Steps(), false) }
        return needsReload ? everything : .steps(steps)
    }
}
