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
        DraftRow(copying: layout.initialRow.pointer, of: layout, base: nil)
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

    // MARK: As they lie

    private func newDraft(in arena: inout RowArena) -> DraftRow {
        DraftRow(of: layout, in: &arena)
    }

    @Test func `a new object's draft becomes the row, and the next one begins behind it`() throws {
        var arena = RowArena()
        // The first block is its own.
        _ = arena.allocate(8)
        let draft = newDraft(in: &arena)
        try set("title", "Monk", draft)
        draft.returnUnusedSpace(to: &arena)
        let next = newDraft(in: &arena)
        let row = try #require(layout.sealInPlace(draft, version: 3))
        #expect(row.pointer == UnsafeRawPointer(draft.row) && row.version == 3)
        #expect(layout.entity.attribute(named: "title")?.value(in: row.pointer) == "Monk")
        #expect(next.row - UnsafeMutableRawPointer(mutating: row.pointer) == layout.headerSize + layout.slotsSize + 8)
    }

    @Test(arguments: [["xxx", "xxxx"], [String(repeating: "x", count: 5_000)]])
    func `a draft with waste in it, or without room, is no row as it lies`(texts: [String]) throws {
        var arena = RowArena()
        let draft = newDraft(in: &arena)
        for text in texts {
            try set("text", .string(text), draft)
            // Behind the text: a longer one cannot take its place.
            try set("title", "Monk", draft)
        }
        #expect(layout.sealInPlace(draft, version: 1) == nil)
        let row = layout.seal(draft, version: 1, in: &arena)
        #expect(try layout.entity.attribute(named: "text")?.value(in: row.pointer) == .string(#require(texts.last)))
    }

    @Test func `a large draft becomes the row with the memory that it owns`() throws {
        let text = String(repeating: "x", count: 20_000)
        func sealed() throws -> Row {
            let draft = draft()
            try set("text", .string(text), draft)
            // A large value leaves room for small ones behind it.
            try set("title", "Monk", draft)
            let row = try #require(layout.sealInPlace(draft, version: 2))
            #expect(row.pointer == UnsafeRawPointer(draft.row) && row.version == 2)
            return row
        }
        // The row outlives its draft.
        let row = try sealed()
        #expect(layout.entity.attribute(named: "text")?.value(in: row.pointer) == .string(text))
        #expect(layout.entity.attribute(named: "title")?.value(in: row.pointer) == "Monk")
    }

    @Test(arguments: [["text": 20_000, "data": 15_000], ["text": 20_000, "title": 19_000]])
    func `a large draft with waste in it, or much room behind it, is copied`(counts: [String: Int]) throws {
        let draft = draft()
        for (name, count) in counts.sorted(by: { $0.value > $1.value }) {
            let isData = name == "data"
            let text = String(repeating: "x", count: count)
            try set(name, isData ? .data(Data(text.utf8)) : .string(text), draft)
        }
        // A shorter value than before leaves waste.
        if counts["title"] != nil { try set("text", "short", draft) }
        #expect(layout.sealInPlace(draft, version: 1) == nil)
    }

    @Test func `a draft that is alone in its block says so`() throws {
        var arena = RowArena()
        let (first, second) = (newDraft(in: &arena), newDraft(in: &arena))
        #expect(first.block !== second.block)
        func isAlone(_ draft: DraftRow) -> Bool {
            draft.returnUnusedSpace(to: &arena)
            return draft.wastesBlock(of: arena)
        }
        #expect(!isAlone(first))
        #expect(isAlone(second))
        let third = newDraft(in: &arena)
        #expect(second.block === third.block)
        #expect(!isAlone(second) && !isAlone(third))
    }

    @Test func `room that another draft lies behind is not given back`() throws {
        var arena = RowArena()
        // The first two blocks have no room for two.
        for _ in 0..<2 { _ = arena.allocate(512) }
        let (first, second) = (newDraft(in: &arena), newDraft(in: &arena))
        #expect(first.block === second.block)
        let end = arena.free
        first.returnUnusedSpace(to: &arena)
        #expect(arena.free == end)
        try set("title", "second", second)
        try set("title", "first", first)
        #expect(layout.entity.attribute(named: "title")?.value(in: UnsafeRawPointer(second.row)) == "second")
    }
}
