/// **Value.** Writes a list of packages that do not exist, in the form and with the proportions of Debian's own: what
/// the example is measured with where no such list is at hand. One seed makes one list.
public struct SampleList {
    private static let architectures = ["amd64", "amd64", "amd64", "all"]
    private static let sections = [
        "admin", "cli-mono", "comm", "database", "debug", "devel", "doc", "editors", "education", "electronics",
        "fonts", "games", "gnome", "gnu-r", "golang", "graphics", "haskell", "interpreters", "introspection", "java",
        "javascript", "kde", "kernel", "libdevel", "libs", "lisp", "localization", "mail", "math", "metapackages",
        "misc", "net", "news", "non-free/libs", "ocaml", "oldlibs", "otherosfs", "perl", "php", "python", "ruby",
        "rust",
        "science", "shells", "sound", "text", "utils", "vcs", "video", "web", "x11", "xfce", "zope",
    ]
    private static let syllables = ["ba", "do", "fe", "gi", "ka", "lo", "mu", "ne", "pi", "qt", "ra", "so", "tu", "xi"]

    private let count: Int
    private var random: SplitMix64

    /// A list of `count` packages.
    public init(count: Int, seed: UInt64) {
        self.count = count
        random = SplitMix64(state: seed)
    }

    /// The list's text, handed out a paragraph at a time.
    public mutating func write(to output: (String) throws -> Void) rethrows {
        for index in 0..<count {
            try output(paragraph(index))
        }
    }

    private mutating func paragraph(_ index: Int) -> String {
        let architecture = pick(Self.architectures)
        var lines = [
            "Package: \(name(index))", "Version: \(version())", "Installed-Size: \(size())",
            "Maintainer: \(maintainer())", "Architecture: \(architecture)",
        ]
        if chance(of: 6) { lines.append("Provides: virtual-\(skewed(800)), \(name(index)) (= 1)") }
        let needed = Int(random.next() % 12)
        if needed > 0 { lines.append("Depends: " + (0..<needed).map { _ in dependency() }.joined(separator: ", ")) }
        if chance(of: 5) { lines.append("Pre-Depends: dpkg (>= 1.17.5), \(name(skewed(count)))") }
        lines += [
            "Section: \(pick(Self.sections))", "Priority: optional",
            "Filename: pool/main/\(name(index))_\(architecture).deb",
            "Description: sample package number \(index)",
            " What it is for is not known, but it takes a few lines to say so, as in",
            " the lists that it stands for.", " .", " It has a second paragraph, too.",
            "SHA256: " + (0..<4).map { _ in String(random.next(), radix: 16) }.joined(),
        ]
        return lines.joined(separator: "\n") + "\n\n"
    }

    private mutating func dependency() -> String {
        if chance(of: 4) { return "virtual-\(skewed(1000))" }
        var text = name(skewed(count))
        if chance(of: 5) { text += ":any" }
        if chance(of: 60) { text += " (>= \(version()))" }
        if chance(of: 8) { text += " | \(name(skewed(count)))" }
        return text
    }

    private func name(_ index: Int) -> String {
        var (rest, stem) = (index, "")
        repeat {
            stem += Self.syllables[rest % Self.syllables.count]
            rest /= Self.syllables.count
        } while rest > 0
        return "\(index % 3 == 0 ? "lib" : "")\(stem)\(index % 7 == 0 ? "-dev" : "")\(index)"
    }

    private mutating func version() -> String {
        let epoch = chance(of: 10) ? "\(1 + random.next() % 3):" : ""
        let upstream = "\(random.next() % 20).\(random.next() % 30)\(chance(of: 5) ? "~rc1" : "")"
        return "\(epoch)\(upstream)-\(1 + random.next() % 9)"
    }

    private mutating func maintainer() -> String {
        let index = skewed(2500)
        return index % 5 == 0
            ? "Team \(index) <team-\(index)@lists.example.org>" : "Maintainer \(index) <maintainer\(index)@example.org>"
    }

    private mutating func size() -> Int {
        8 + skewed(40) * skewed(4000)
    }

    /// A number below `bound`; small ones are much more frequent, as a few packages are needed by most.
    private mutating func skewed(_ bound: Int) -> Int {
        let fraction = Double(random.next() >> 11) / Double(1 << 53)
        return min(bound - 1, Int(Double(bound) * fraction * fraction * fraction))
    }

    private mutating func chance(of percent: UInt64) -> Bool {
        random.next() % 100 < percent
    }

    private mutating func pick(_ words: [String]) -> String {
        words[Int(random.next() % UInt64(words.count))]
    }
}

/// **Value.** A small generator with a seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
