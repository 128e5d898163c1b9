import BenchKit
import DataMonk

/// Trees, and articles with their tags.
extension DataMonkPeer {
    func fetchTree() throws { shown = try world.fetchAll(Node.self) }

    func walkTree() throws -> Digest {
        // Unordered nodes come in the order of their keys.
        guard let root = (shown as? [Node])?.first else { throw BenchError("no tree") }
        var digest = Digest()
        var pending = [root]
        while let node = pending.popLast() {
            node.add(to: &digest)
            pending += node.children
        }
        return digest
    }

    func dropTree() throws { shown = nil }

    func fetchFirstNode() throws -> Digest {
        var digest = Digest()
        for node in try world.fetchAll(Node.self, options: .Limit(1)) { node.add(to: &digest) }
        return digest
    }

    func deleteTree() throws {
        try updater.beginUpdateAndWait { update in
            try update.deleteAll(Node.self, %"parent" == nil)
            try update.commit()
        }
    }

    func removeTags(named names: [String]) throws {
        for name in names {
            try updater.beginUpdateAndWait { update in
                let tag = try update.fetch(Tag.self, %"name" == name)
                for article in tag.articles { article.remove(tag, from: \.tags) }
                try update.commit()
            }
        }
    }

    func fetchArticles(taggedWithOneOf names: [String]) throws -> Digest {
        var digest = Digest()
        for article in try world.fetchAll(Article.self, .Where("ANY tags.name IN %@", names)) {
            digest.row()
            digest.add(article.title)
        }
        return digest
    }

    func readTags() throws -> Digest {
        var digest = Digest()
        for article in try world.fetchAll(Article.self, options: .Prefetch(["tags"])) {
            digest.add(article.title)
            for tag in article.tags {
                digest.row()
                digest.add(tag.name)
            }
        }
        return digest
    }
}

extension Node {
    fileprivate func add(to digest: inout Digest) {
        digest.row()
        digest.add(name)
    }
}
