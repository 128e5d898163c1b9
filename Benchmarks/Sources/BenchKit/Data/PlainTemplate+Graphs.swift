/// Trees, and articles with their tags.
extension PlainTemplate {
    static let treeTables = """
        CREATE TABLE node(
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent_id INTEGER REFERENCES node(id) ON DELETE CASCADE);
        CREATE INDEX node_parent ON node(parent_id);
        """

    static let tagTables = """
        CREATE TABLE article(id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE INDEX tag_name ON tag(name);
        CREATE TABLE tagging(
          article_id INTEGER NOT NULL REFERENCES article(id), tag_id INTEGER NOT NULL REFERENCES tag(id),
          PRIMARY KEY(article_id, tag_id));
        CREATE INDEX tagging_tag ON tagging(tag_id, article_id);
        """

    static func insertTree(count: Int, into file: SQLiteFile) throws {
        try file.insert("INSERT INTO node VALUES(?, ?, ?)", 1...Int64(count)) { id, row in
            row.bind(1, id)
            row.bind(2, Tree.name(ofNode: id))
            row.bind(3, Tree.parent(ofNode: id))
        }
    }

    static func insertArticles(count: Int, into file: SQLiteFile) throws {
        let tagCount = Tagging.tagCount(for: count)
        try file.insert("INSERT INTO tag VALUES(?, ?)", 1...Int64(tagCount)) { id, row in
            row.bind(1, id)
            row.bind(2, Tagging.tagName(id: id))
        }
        let articles = 1...Int64(Tagging.articleCount(for: count))
        try file.insert("INSERT INTO article VALUES(?, ?)", articles) { id, row in
            row.bind(1, id)
            row.bind(2, Tagging.articleTitle(id: id))
        }
        let taggings = articles.lazy.flatMap { id in
            (0..<Tagging.tagsPerArticle).map { place in
                (article: id, tag: Tagging.tag(place, ofArticle: id, tagCount: tagCount))
            }
        }
        try file.insert("INSERT INTO tagging VALUES(?, ?)", taggings) { tagging, row in
            row.bind(1, tagging.article)
            row.bind(2, tagging.tag)
        }
    }
}
