import DataMonkCore
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
        let draft = DraftRow(copying: empty, slots: layout.slotCount, size: layout.size(of: empty), base: nil)
        return withExtendedLifetime(draft) {
            var editor = RowEditor(draft)
            attribute.write(.decimal(decimal), to: &editor)
            return attribute.value(in: draft.row)
        }
    }

    @Test(arguments: [
        "0", "-0", "7", "-7", "0.07", "-12.5", "100", "100.10", "999999999999999999", "0.000000000000000001",
        "-99999999999999999.9", "1234567890123456789", "18446744073709551615", "0.12345678901234567890123456789",
        "123456789012345678901234567890.12345678", "1e30", "-1e-30",
    ])
    func `a decimal comes back as it was`(text: String) throws {
        let decimal = try #require(Decimal(string: text))
        #expect(kept(decimal) == .decimal(decimal))
        #expect(kept(decimal).hashValue == ManagedValue.decimal(decimal).hashValue)
    }

    @Test func `any decimal of few digits comes back as it was, text and all`() throws {
        var state: UInt64 = 17
        for _ in 0..<5_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Int64(bitPattern: state) >> Int64(state & 63)
            let decimal = Decimal(sign: .plus, exponent: -Int(state >> 8 & 15), significand: Decimal(number))
            let copy = try #require(Decimal(string: decimal.description))
            #expect(kept(decimal) == .decimal(copy), "\(decimal)")
            guard case .decimal(let read) = kept(decimal) else { continue }
            #expect(read.description == decimal.description)
        }
    }

    @Test func `what is no number reads as zero`() {
        #expect(kept(.nan) == .decimal(0))
    }
}
