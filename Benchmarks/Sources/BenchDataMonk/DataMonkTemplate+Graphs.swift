import BenchKit
import DataMonk

/// Trees, and articles with their tags.
extension DataMonkTemplate {
    static func insertTree(count: Int, _ update: Update) throws {
        var nodes: [Node] = []
        for id in 1...Int64(count) {
            let node = try update.create(Node.self)
            node.name = Tree.name(ofNode: id)
            node.parent = Tree.parent(ofNode: id).map { nodes[Int($0) - 1] }
            nodes.append(node)
        }
        try update.commit()
    }

    static func insertArticles(count: Int, _ update: Update) throws {
        let tagCount = Tagging.tagCount(for: count)
        let tags = try (1...Int64(tagCount)).map { id in
            let tag = try update.create(Tag.self)
            tag.name = Tagging.tagName(id: id)
            return tag
        }
        for id in 1...Int64(Tagging.articleCount(for: count)) {
            let article = try update.create(Article.self)
            article.title = Tagging.articleTitle(id: id)
            for place in 0..<Tagging.tagsPerArticle {
                let tag = Tagging.tag(place, ofArticle: id, tagCount: tagCount)
                article.add(tags[Int(tag) - 1], to: \.tags)
            }
        }
        try update.commit()
    }
}
