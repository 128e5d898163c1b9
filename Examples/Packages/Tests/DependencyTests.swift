import DebianPackages
import Testing

@Suite struct DependencyTests {
    @Test func `the whole grammar in one line`() throws {
        let list = try Dependency.list("a (>= 1:2.0~rc1-3+b1), b | c,\n d:any [amd64 !i386] <!nocheck> <cross !stage1>")
        try #require(list.count == 3)
        #expect(list[0].alternatives.map(\.name) == ["a"])
        #expect(list[0].alternatives[0].versions?.relation == .laterOrEqual)
        #expect(list[0].alternatives[0].versions?.version == "1:2.0~rc1-3+b1")
        #expect(list[1].alternatives.map(\.name) == ["b", "c"])
        let last = list[2].alternatives[0]
        #expect(last.qualifier == "any")
        #expect(last.architectures == ["amd64", "!i386"])
        #expect(last.profiles == [["!nocheck"], ["cross", "!stage1"]])
    }

    @Test(arguments: ["a(>=1)", "a  ( >=1 )", "a\n (>= 1)", ",a (>= 1),", "a (>= 1) , ", "a (> 1)"])
    func `spaces and commas may be anywhere or nowhere`(text: String) throws {
        let list = try Dependency.list(text)
        #expect(list.map { $0.alternatives.map(\.name) } == [["a"]])
        #expect(list.first?.alternatives.first?.versions?.relation == .laterOrEqual)
        #expect(list.first?.alternatives.first?.versions?.version == "1")
    }

    @Test(
        arguments: [
            ("<<", .earlier), ("<=", .earlierOrEqual), ("<", .earlierOrEqual), ("=", .equal), (">", .laterOrEqual),
            (">=", .laterOrEqual), (">>", .later),
        ] as [(String, Dependency.Relation)])
    func `every relation is read`(text: String, relation: Dependency.Relation) throws {
        #expect(try Dependency.list("a (\(text) 1)").first?.alternatives.first?.versions?.relation == relation)
    }

    @Test(arguments: ["", " ", "\n", ",,"])
    func `nothing depends on nothing`(text: String) throws {
        #expect(try Dependency.list(text).isEmpty)
    }

    @Test(arguments: [
        ("a (>= )", 6), ("a (1)", 3), ("a (=> 1)", 5), ("a (>= 1", 7), ("a b", 2), ("a |", 3), ("| a", 0), ("a:", 2),
        ("a [amd64", 8), ("a <!x", 5), ("a (>= 1) (<< 2)", 9),
    ])
    func `what does not fit is refused by its place`(text: String, offset: Int) throws {
        let error = #expect(throws: DependencyError.self) { try Dependency.list(text) }
        #expect(error?.offset == offset)
    }

    @Test(arguments: [
        ("a", true), ("a [amd64]", true), ("a [i386]", false), ("a [!amd64]", false), ("a [!i386]", true),
        ("a [linux-any]", true), ("a <!nocheck>", true), ("a <cross>", false), ("a <cross> <!nodoc>", true),
        ("a [i386] <!nodoc>", false),
    ])
    func `architectures and profiles decide whether it is said at all`(text: String, applies: Bool) throws {
        let alternative = try #require(try Dependency.list(text).first?.alternatives.first)
        #expect(alternative.applies(on: "amd64") == applies)
    }
}
