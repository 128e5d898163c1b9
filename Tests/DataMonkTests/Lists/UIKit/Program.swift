// The manual's program with a table, over the stand-in of UIKit.
import DataMonk
import UIKit

@Entity final class Person: ManagedObject {
    var title: String = ""
    var group: String = ""
}

@MainActor final class MyViewController {
    let World: MainContext
    let tableView = UITableView()
    let collectionView = UICollectionView()
    var dataProvider: TableViewDataProvider<Person>!
    var itemProvider: CollectionViewDataProvider<Person>!

    init(World: MainContext) { self.World = World }

    func viewDidLoad() {
        do {
            self.dataProvider = TableViewDataProvider(context: World).bind(self.tableView) { person, indexPath in
                let cell = self.tableView.dequeueReusableCell(withIdentifier: "Cell", for: indexPath)
                cell.textLabel?.text = person.title
                return cell
            }
            try self.dataProvider.query(orderBy: .Ascending("title"))

            self.itemProvider = CollectionViewDataProvider(context: World).bind(self.collectionView) { person, _ in
                let cell = UICollectionViewCell()
                cell.label.text = person.title
                return cell
            }
            self.itemProvider.list.onGetIndexTitle = { $0 }
            try self.itemProvider.load(
                orderBy: .Ascending("group") | .Ascending("title"), sectionBy: %"group")
        } catch let error {
            fatalError("fail to query main context: \(error)")
        }
    }
}

@main struct Program {
    @MainActor static func main() async throws {
        let stack = try Stack(Person.self)
        try stack.addInMemoryStore()
        let World = try MainContext(stack: stack)
        let controller = MyViewController(World: World)
        controller.viewDidLoad()
        try await World.update { update in
            for (title, group) in [("Monk", "b"), ("Knight", "a"), ("Farmer", "b")] {
                let person = try update.create(Person.self)
                (person.title, person.group) = (title, group)
            }
            try update.commit()
        }
        try await expect(controller, [["Farmer", "Knight", "Monk"]], [["Knight"], ["Farmer", "Monk"]])
        try await World.update { update in
            try update.fetch(Person.self, %"title" == "Knight").group = "b"
            try update.fetch(Person.self, %"title" == "Farmer").title = "Prior"
            try update.commit()
        }
        try await expect(controller, [["Knight", "Monk", "Prior"]], [["Knight", "Monk", "Prior"]])
        let canEdit = controller.tableView.dataSource?.tableView(controller.tableView, canEditRowAt: [0, 0])
        print(canEdit == true ? "deletable" : "not deletable")
        let collection = controller.collectionView
        print(collection.dataSource?.indexTitles(for: collection) ?? [])
        let header = UICollectionReusableView()
        controller.itemProvider.onGetSupplementaryView = { kind, _ in
            kind == "header" ? header : UICollectionReusableView()
        }
        let view = collection.dataSource?.collectionView(
            collection, viewForSupplementaryElementOfKind: "header", at: [0, 0])
        print(view === header ? "the header" : "another view")

        // Another provider takes the table over; the first one goes on following, and leaves it alone.
        let other = TableViewDataProvider<Person>(context: World).bind(controller.tableView) { person, _ in
            let cell = UITableViewCell()
            cell.textLabel?.text = "other \(person.title)"
            return cell
        }
        try other.query(%"title" == "Prior", orderBy: .Ascending("title"))
        try await World.update { update in
            try update.create(Person.self).title = "Abbot"
            try update.commit()
        }
        while controller.dataProvider.list.numberOfObjects(inSection: 0) != 4 { await Task.yield() }
        print(controller.tableView.visibleTexts)
        try expectRelease(in: World)
    }

    /// Neither a provider nor its list outlives those who hold the provider.
    @MainActor static func expectRelease(in World: MainContext) throws {
        let (table, collection) = (UITableView(), UICollectionView())
        var lists: [() -> AnyObject?] = []
        do {
            let rows = TableViewDataProvider<Person>(context: World).bind(table) { _, _ in UITableViewCell() }
            let items = CollectionViewDataProvider<Person>(context: World).bind(collection) { _, _ in
                UICollectionViewCell()
            }
            try rows.query(orderBy: .Ascending("title"))
            try items.load(orderBy: .Ascending("title"))
            lists = [{ [weak list = rows.list] in list }, { [weak list = items.list] in list }]
        }
        print(lists.allSatisfy { $0() == nil } ? "released" : "kept")
    }

    /// Waits until the views show what they should; the test's time limit bounds the wait.
    @MainActor static func expect(_ controller: MyViewController, _ table: [[String]], _ collection: [[String]])
        async throws
    {
        while controller.tableView.visibleTexts != table || controller.collectionView.visibleTexts != collection {
            await Task.yield()
        }
        print(controller.tableView.visibleTexts, controller.collectionView.visibleTexts)
    }
}
