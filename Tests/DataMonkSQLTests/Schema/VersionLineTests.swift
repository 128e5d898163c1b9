import Testing

@testable import DataMonkSQL

/// The versions that a store remembers.
@Suite struct `The line of versions` {
    @Test func `a store that was never migrated has none before it`() {
        let line = VersionLine([])
        #expect(!line.isVersion("b", laterThan: "a"))
    }

    @Test func `each version is later than those before it`() {
        var line = VersionLine([])
        line.migrate(from: "a", to: "b")
        line.migrate(from: "b", to: "c")
        #expect(line.versions == ["a", "b", "c"])
        #expect(line.isVersion("c", laterThan: "a") && line.isVersion("c", laterThan: "b"))
        #expect(!line.isVersion("b", laterThan: "c") && !line.isVersion("c", laterThan: "c"))
        #expect(!line.isVersion("c", laterThan: "d"))
    }

    @Test func `the way back cuts off what came later`() {
        var line = VersionLine(["a", "b", "c"])
        line.migrate(from: "c", to: "b")
        #expect(line.versions == ["a", "b"])
        line.migrate(from: "b", to: "d")
        #expect(line.versions == ["a", "b", "d"])
    }

    @Test func `a version that is known to be later comes after the others`() {
        var line = VersionLine(["b", "a"])
        line.migrate(from: "a", to: "b", isForward: true)
        #expect(line.versions == ["a", "b"])
    }

    @Test func `a version that another framework has migrated to is later than all`() {
        var line = VersionLine(["a", "b"])
        #expect(line.isVersion("x", laterThan: "a") && line.isVersion("x", laterThan: "b"))
        line.migrate(from: "x", to: "y")
        #expect(line.versions == ["a", "b", "x", "y"])
    }

    @Test func `another framework's way back is not later than what it left`() {
        var line = VersionLine(["a", "b", "c"])
        #expect(!line.isVersion("a", laterThan: "c"))
        line.migrate(from: "a", to: "d")
        #expect(line.versions == ["a", "d"])
    }
}
