/// **Value.** The titles along the edge of a list that lead to its sections, as in a list of contacts.
///
///     let index = SectionIndex(names: ["Adams", "Ames", "Baker"])
///     print(index.titles)                 // ["A", "B"]
///     print(index.section(at: 1) ?? 0)    // 2
///
/// Adjacent sections with the same title share it.
public struct SectionIndex: Hashable, Sendable {
    /// The titles, in the order of the sections.
    public let titles: [String]
    private let sections: [Int]

    /// Creates an index.
    ///
    /// - Parameters:
    ///   - names: The names of the sections, in order.
    ///   - title: Returns the title for a section's name, or `nil` for none. By default, the title is the name's first
    ///     letter as a capital.
    public init(
        names: some Sequence<String>, title: (String) -> String? = { $0.first.map { $0.uppercased() } }
    ) {
        var titles: [String] = []
        var sections: [Int] = []
        for (section, name) in names.enumerated() {
            guard let title = title(name), title != titles.last else { continue }
            titles.append(title)
            sections.append(section)
        }
        (self.titles, self.sections) = (titles, sections)
    }

    /// Returns the first section of the title at a position among the titles, or `nil` if there is no such title.
    public func section(at title: Int) -> Int? {
        sections.indices.contains(title) ? sections[title] : nil
    }
}
