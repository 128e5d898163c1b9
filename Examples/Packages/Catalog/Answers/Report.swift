import DataMonk
import Foundation

/// **Confined.** Puts answers into words.
struct Report {
    let answers: PackageAnswers

    func overview(rows: Int) throws -> String {
        try [totals(), sections(rows), maintainers(rows)].joined(separator: "\n\n")
    }

    /// What depends on a package.
    func dependents(of name: String) throws -> String {
        let packages = try answers.packages(named: name)
        let (directly, inAll) = answers.reached(from: packages, by: \.dependents)
        return """
            \(count(directly)) on \(name) directly, \(inAll.count.formatted()) with those that do so through others.
            \(provided(by: packages, beside: directly))\(list(directly))
            """
    }

    /// What a package depends on.
    func dependencies(of name: String) throws -> String {
        let packages = try answers.packages(named: name)
        let (directly, inAll) = answers.reached(from: packages, by: \.dependencies)
        return """
            \(name) names \(directly.count.formatted()) packages that it needs, \(inAll.count.formatted()) with those \
            that they need.
            \(list(directly))
            """
    }

    private func totals() throws -> String {
        let counts = try answers.counts()
        let (versions, sections) = (
            try answers.reader.count(Version.self), try answers.reader.count(Section.self)
        )
        return """
            Packages   \(number(counts[.installed])) installed, \(number(counts[.listed])) listed only
            Names      \(number(counts[.virtual])) virtual, \(number(counts[.unknown])) of unknown packages
            Beside     \(number(versions)) versions, \(number(sections)) sections, \
            \(number(try answers.reader.count(Maintainer.self))) maintainers
            Size       \(size(try answers.totalSize()))
            """
    }

    private func sections(_ rows: Int) throws -> String {
        let sections = try answers.sizeBySection()
        let lines = sections.prefix(rows).map { "  \(right(size($0.size), 10))  \($0.section) (\(number($0.count)))" }
        return table("Size by section", lines, of: sections.count)
    }

    private func maintainers(_ rows: Int) throws -> String {
        let lines = try answers.maintainers(limit: rows).map { "  \(right(number($0.count), 10))  \($0.maintainer)" }
        return table("Maintainers with most packages", lines, of: lines.count)
    }

    /// Names that packages stand for: what asks for these names depends on the packages without naming them.
    private func provided(by packages: [Package], beside directly: Set<Package>) -> String {
        let names = Set(packages.flatMap(\.provides)).sorted { $0.key < $1.key }
        let counts = names.map { (name: $0.name, count: $0.dependents.subtracting(directly).count) }
        return counts.filter { $0.count > 0 }.map { "As \($0.name): \(number($0.count)) more.\n" }.joined()
    }

    private func table(_ title: String, _ lines: [String], of count: Int) -> String {
        let rest = count > lines.count ? ["  \(right("", 10))  and \(number(count - lines.count)) more"] : []
        return ([title] + lines + rest).joined(separator: "\n")
    }

    private func count(_ packages: Set<Package>) -> String {
        packages.count == 1 ? "1 package depends" : "\(number(packages.count)) packages depend"
    }

    private func list(_ packages: Set<Package>) -> String {
        packages.map { "  \($0.key)" }.sorted().joined(separator: "\n")
    }

    private func number(_ number: Int?) -> String {
        (number ?? 0).formatted()
    }

    private func size(_ kibibytes: Int) -> String {
        (Int64(kibibytes) * 1024).formatted(.byteCount(style: .file))
    }

    private func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
