import BenchKit
import GRDB

/// Trees, and articles with their tags.
extension GRDBRecordPeer {
    struct Node: FetchableRecord, TableRecord {
        static let databaseTableName = "node"
        let id: Int64
        let name: String
        let parentID: Int64?

        init(row: Row) {
            id = row[0]
            name = row[1]
            parentID = row[2]
        }

        func add(to digest: inout Digest) {
            digest.row()
            digest.add(name)
        }
    }

    /// **Value.** All nodes, and where in the array the children of each are.
    struct Tree {
        let nodes: [Node]
        let children: [Int64?: [Int]]
    }

    struct Tag: FetchableRecord, TableRecord {
        static let databaseTableName = "tag"
        let id: Int64
        let name: String

        init(row: Row) {
            id = row[0]
            name = row[1]
        }
    }

    struct Article: FetchableRecord, TableRecord {
        static let databaseTableName = "article"
        let id: Int64
        let title: String

        init(row: Row) {
            id = row[0]
            title = row[1]
        }
    }

    struct Tagging: TableRecord {
        static let databaseTableName = "tagging"
        static let tag = belongsTo(Tag.self, using: ForeignKey(["tag_id"]))
    }

    func fetchTree() throws {
        let nodes = try pool.read { try Node.fetchAll($0) }
        tree = Tree(nodes: nodes, children: Dictionary(grouping: nodes.indices) { nodes[$0].parentID })
    }

    func walkTree() throws -> Digest {
        guard let tree else { throw BenchError("no tree") }
        var digest = Digest()
        var pending = tree.children[nil] ?? []
        while let index = pending.popLast() {
            tree.nodes[index].add(to: &digest)
            if let children = tree.children[tree.nodes[index].id] { pending += children }
        }
        return digest
    }

    func dropTree() throws { tree = nil }

    func fetchFirstNode() throws -> Digest {
        var digest = Digest()
        try pool.read { try Node.order(Column("id")).fetchOne($0) }?.add(to: &digest)
        return digest
    }

    /// Other transactions run without foreign keys, as the other peers do.
    func deleteTree() throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = ON")
            try database.inTransaction {
                try Node.filter(Column("parent_id") == nil).deleteAll(database)
                return .commit
            }
        }
    }

    func removeTags(named names: [String]) throws {
        for name in names {
            try pool.write { database in
                guard let tag = try Tag.filter(Column("name") == name).fetchOne(database) else { return }
                try Tagging.filter(Column("tag_id") == tag.id).deleteAll(database)
            }
        }
    }

    func fetchArticles(taggedWithOneOf names: [String]) throws -> Digest {
        let articles = try pool.read { database in
            let tagged = Tagging.joining(required: Tagging.tag.filter(names.contains(Column("name"))))
                .select(Column("article_id"))
            return try Article.filter(tagged.contains(Column("id"))).fetchAll(database)
        }
        var digest = Digest()
        for article in articles {
            digest.row()
            digest.add(article.title)
        }
        return digest
    }

    /// By one join: associations would make a row of each tag for each article.
    func readTags() throws -> Digest {
        let (articles, tags) = try pool.read { database in
            var tags: [Int64: [String]] = [:]
            let rows = try Row.fetchCursor(
                database, sql: "SELECT tagging.article_id, tag.name FROM tagging JOIN tag ON tag.id = tagging.tag_id")
            while let row = try rows.next() { tags[row[0], default: []].append(row[1]) }
            return (try Article.fetchAll(database), tags)
        }
        var digest = Digest()
        for article in articles {
            digest.add(article.title)
            for tag in tags[article.id] ?? [] {
                digest.row()
                digest.add(tag)
            }
        }
        return digest
    }
}
