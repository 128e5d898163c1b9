import DataMonkTesting
import Testing

@testable import DataMonkCore

/// The tables of folded scalars, beside Unicode's own mappings of the whole text.
@Suite struct `Tables of folded scalars` {
    private static let options: [Condition.Comparison.Options] = [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]

    private func expectSameForms(of bytes: [UInt8], _ options: Condition.Comparison.Options) {
        let (text, ascii) = (String(decoding: bytes, as: UTF8.self), bytes.allSatisfy { $0 < 0x80 })
        let whole = TextFolding.foldWhole(text, options: options)
        bytes.withUnsafeBytes { bytes in
            #expect(
                Array(TextFolding.fold(bytes, options: options).utf8) == Array(whole.utf8), "\(text.unicodeScalars)")
            let searched = ascii ? whole : TextFolding.composed(whole)
            let found = TextFolding.foldForSearch(bytes, options: options)
            #expect(Array(found.utf8) == Array(searched.utf8), "\(text.unicodeScalars)")
        }
    }

    @Test(arguments: options) func `fold each scalar as a text of its own`(_ options: Condition.Comparison.Options) {
        for value in stride(from: UInt32(0), through: 0x2FFFF, by: 1) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(String(scalar).utf8)
            let whole = TextFolding.foldWhole(String(scalar), options: options)
            for isForSearch in [false, true] {
                guard let table = FoldingTable.table(options, isForSearch: isForSearch),
                    let folded = bytes.withUnsafeBytes({ table.fold($0) })
                else { continue }
                let expected = isForSearch && value >= 0x80 ? TextFolding.composed(whole) : whole
                if Array(folded.utf8) != Array(expected.utf8) { Issue.record("U+\(String(value, radix: 16))") }
            }
        }
    }

    @Test func `fold texts of several scripts, marks and invalid bytes`() {
        var random = SeededGenerator(seed: 20_261_123)
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x41...0x5A, 0xC0...0x24F, 0x300...0x345, 0x370...0x3FF, 0x400...0x489, 0x590...0x6FF,
            0x900...0x9FF, 0x1100...0x11FF, 0x1E00...0x1FFF, 0x2000...0x214F, 0x3040...0x30FF, 0x4E00...0x4E20,
            0xAC00...0xAC40, 0xF900...0xF910, 0xFB00...0xFB50, 0xFE00...0xFE2F, 0xFF21...0xFF40, 0x1F600...0x1F640,
        ]
        for _ in 0..<6_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...7, using: &random) {
                let range = ranges.randomElement(using: &random) ?? 0x20...0x7E
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
                    bytes += String(scalar).utf8
                }
                if Int.random(in: 0..<20, using: &random) == 0 {
                    bytes.append(UInt8.random(in: 0x80...0xFF, using: &random))
                }
            }
            for options in Self.options { expectSameForms(of: bytes, options) }
        }
    }

    @Test func `fold common texts without looking at the whole`() {
        for text in ["Crème brûlée", "Übergröße", "Ἀθηνᾶ", "Ёлка", "東京で", "naïve 😀", "10 €"] {
            let table = FoldingTable.table([.caseInsensitive, .diacriticInsensitive], isForSearch: true)
            #expect(Array(text.utf8).withUnsafeBytes { table?.fold($0) } != nil, "\(text)")
        }
    }
}
