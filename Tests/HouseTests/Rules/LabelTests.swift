import Testing

/// Arguments have labels unless the function's name says their role.
@Suite struct LabelTests {
    @Test func `fewer than one function in twenty has two unlabelled arguments`() throws {
        let functions = try SourceTree.house.get().swift(in: "Sources").flatMap(Self.functions)
        #expect(functions.count > 1_000)
        #expect(Self.share(of: functions, withAtLeast: 2) < 5)
    }

    @Test func `no function has five unlabelled arguments`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Sources").flatMap(Self.overlong))
    }

    private static func functions(in file: SourceFile) -> [Declaration] {
        file.declarations.filter { declaration in
            declaration.keyword == "init"
                || (declaration.keyword == "func" && declaration.name.contains { $0.isLetter || $0 == "_" })
        }
    }

    /// In percent.
    private static func share(of functions: [Declaration], withAtLeast count: Int) -> Double {
        100 * Double(functions.count { $0.unlabelledCount >= count }) / Double(functions.count)
    }

    private static func overlong(in file: SourceFile) -> [Finding] {
        functions(in: file).filter { $0.unlabelledCount >= 5 }.map {
            file.finding($0.line, "\($0.name) has \($0.unlabelledCount) arguments without a label. Name their roles")
        }
    }

    // MARK: The rule finds what it looks for

    @Test(arguments: [
        ("func f(_ a: Int, _ b: [Int: Int] = [:], c: Int)", 2),
        ("init?(_ a: Int, b c: (_ d: Int, _ e: Int) -> Void)", 1),
        ("func f<A: B<C>>(_ a: A, _ b: D<A, C>, _ c: @escaping () -> Void) where A: E", 3), ("func f()", 0),
        ("static func + (a: A, b: A) -> A", 0), ("func f(a: Int = g(_: 1, 2), _ b: Int)", 1),
    ])
    func `arguments without a label are counted`(code: String, count: Int) {
        #expect(SourceFile("A.swift", code).declarations.map(\.unlabelledCount) == [count])
    }

    @Test func `operators are left out`() {
        let file = SourceFile(
            "A.swift", "prefix func % (_ a: A, _ b: A) {}\nfunc f(_ a: A, _ b: A) {}\nfunc g(a: A) {}")
        #expect(Self.functions(in: file).map(\.name) == ["f", "g"])
        #expect(Self.share(of: Self.functions(in: file), withAtLeast: 2) == 50)
        #expect(Self.overlong(in: SourceFile("A.swift", "init(_ a: A, _ b: A, _ c: A, _ d: A, _ e: A)")).count == 1)
    }
}
