import DataMonkCore
import Foundation
import Testing

@Suite struct `Sealed rows` {
    private let layout: EntityLayout

    init() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Note") {
                AttributeDescription("title", .string)
                AttributeDescription("text", .string)
                AttributeDescription("data", .binary)
            }
        }
        layout = EntityLayout(model.entities[0])
    }

    private func draft() -> DraftRow {
        DraftRow(
            copying: layout.initialRow.pointer, slots: layout.slotCount,
            size: layout.size(of: layout.initialRow.pointer),
            base: nil)
    }

    private func set(_ name: String, _ value: ManagedValue, _ draft: DraftRow) throws {
        var editor = RowEditor(draft)
        try #require(layout.entity.attribute(named: name)).write(value, to: &editor)
    }

    @Test func `an empty value set after longer ones does not make the row seem longer`() throws {
        let draft = draft()
        // What is replaced by something longer stays in the draft as waste.
        for length in [10, 1_000, 5_000] { try set("text", .string(String(repeating: "x", count: length)), draft) }
        try set("title", "", draft)
        try set("data", .data(Data()), draft)
        try set("text", nil, draft)
        try set("text", "short", draft)
        var arena = RowArena()
        let row = layout.seal(draft, version: 1, in: &arena)
        #expect(layout.size(of: row.pointer) == layout.slotCount * 8 + 5)
        #expect(layout.entity.attribute(named: "title")?.value(in: row.pointer) == "")
        #expect(layout.entity.attribute(named: "text")?.value(in: row.pointer) == "short")
    }
}
