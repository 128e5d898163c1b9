import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

@Suite struct `Decimals in rows` {
    private let layout: EntityLayout
    private let attribute: Entity.Attribute

    init() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Price") { AttributeDescription("amount", .decimal) }
        }
        layout = EntityLayout(model.entities[0])
        attribute = try #require(layout.entity.attribute(named: "amount"))
    }

    /// The decimal after a row has held it.
    private func kept(_ decimal: Decimal) -> ManagedValue {
        let empty = layout.emptyRow.pointer
        let draft = DraftRow(copying: empty, of: layout, base: nil)
        return withExtendedLifetime(draft) {
            var editor = RowEditor(draft)
            attribute.write(.decimal(decimal), to: &editor)
            return attribute.value(in: draft.row)
        }
    }

    @Test(arguments: [
        "0", "-0", "7", "-7", "0.07", "-12.5", "100", "100.10", "999999999999999999", "0.000000000000000001",
        "999999999999999.9", "1234567890123456789", "-9223372036854775808", "0.30000000000000004",
        "123456789012345.67", "1e30", "-1e-30", "1e100", "-1e-100",
    ])
    func `a decimal comes back as it was`(text: String) throws {
        let decimal = try #require(Decimal(string: text))
        #expect(kept(decimal) == .decimal(decimal))
        #expect(kept(decimal).hashValue == ManagedValue.decimal(decimal).hashValue)
    }

    @Test(arguments: [
        ("-99999999999999999.9", "-100000000000000000"), ("18446744073709551615", "18446744073709552000"),
        ("0.12345678901234567890123456789", "0.12345678901234568"), ("1234567890123.45678", "1234567890123.4568"),
        ("123456789012345678901234567890.12345678", "123456789012345680000000000000"), ("1e-120", "0"),
        ("9223372036854775807.5", "9223372036854776000"),
    ])
    func `a decimal of more digits is rounded to what a store holds`(text: String, rounded: String) throws {
        let decimal = try #require(Decimal(string: text))
        let expected = try #require(Decimal(string: rounded))
        #expect(kept(decimal) == .decimal(expected))
        #expect(kept(expected) == .decimal(expected))
        #expect(decimal.stored == expected)
        #expect(attribute.accepts(.decimal(decimal)))
    }

    @Test func `a decimal that no store can keep is refused`() throws {
        let large = Decimal(sign: .minus, exponent: 100, significand: 2)
        #expect(!attribute.accepts(.decimal(large)) && large.stored == nil)
        #expect(attribute.accepts(.decimal(.nan)) && Decimal.nan.stored == nil)
    }

    @Test func `any decimal of few digits comes back as it was, text and all`() throws {
        var state: UInt64 = 17
        for _ in 0..<5_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Int64(bitPattern: state) >> Int64(state & 63)
            let decimal = Decimal(sign: .plus, exponent: -Int(state >> 8 & 15), significand: Decimal(number))
            let copy = try #require(Decimal(string: decimal.description))
            #expect(kept(decimal) == copy.stored.map { .decimal($0) }, "\(decimal)")
            guard decimal.description.count <= 16, case .decimal(let read) = kept(decimal) else { continue }
            #expect(read.description == decimal.description)
        }
    }

    @Test func `what is no number reads as zero`() {
        #expect(kept(.nan) == .decimal(0))
    }

    /// What a store is given is what its reader makes the same decimal of, at any length.
    @Test func `the text of a row is the number that a store gets`() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<5_000 {
            let digits =
                UInt64.random(in: 0...(.max), using: &generator) >> UInt64.random(in: 0...60, using: &generator)
            let sign: FloatingPointSign = Bool.random(using: &generator) ? .minus : .plus
            let exponent = Int.random(in: -30...10, using: &generator)
            let decimal = Decimal(sign: sign, exponent: exponent, significand: Decimal(digits))
            guard case .decimal(let read) = kept(decimal) else { continue }
            let stored = Array(read.description.utf8).withUnsafeBytes { StoredDecimal(text: $0) }
            switch stored {
            case .integer(let number): #expect(Decimal(number) == read, "\(decimal)")
            case .real(let number): #expect(Decimal(representing: number) == read, "\(decimal)")
            }
            #expect(decimal.doubleValue == read.doubleValue, "\(decimal)")
        }
    }
}
