import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

/// The memory of a row that is edited often, and values that are too long for it.
@Suite struct `Long values in a draft` {
    private let layout: EntityLayout

    init() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Note") {
                AttributeDescription("title", .string)
                AttributeDescription("text", .string)
                AttributeDescription("data", .binary)
                AttributeDescription("count", .integer64)
            }
        }
        layout = EntityLayout(model.entities[0])
    }

    private func draft() -> DraftRow { DraftRow(copying: layout.initialRow.pointer, of: layout, base: nil) }

    private func set(_ name: String, _ value: ManagedValue, _ draft: DraftRow) throws {
        var editor = RowEditor(draft)
        try #require(layout.entity.attribute(named: name)).write(value, to: &editor)
    }

    private func value(_ name: String, _ draft: DraftRow) throws -> ManagedValue {
        try #require(layout.entity.attribute(named: name)).value(in: UnsafeRawPointer(draft.row))
    }

    @Test func `a text that grows in a loop takes memory for itself alone`() throws {
        let draft = draft()
        try set("title", "a title", draft)
        var text = String(repeating: "x", count: 20_000)
        for _ in 0..<2_000 {
            text += "y"
            try set("text", .string(text), draft)
        }
        #expect(draft.size < 3 * text.utf8.count, "\(draft.size) bytes")
        #expect(try value("text", draft) == .string(text))
        #expect(try value("title", draft) == "a title")
    }

    @Test func `two values that grow in turns take memory for themselves alone`() throws {
        let draft = draft()
        var (text, data) = (String(repeating: "x", count: 10_000), Data(repeating: 1, count: 10_000))
        try set("count", 7, draft)
        for _ in 0..<1_000 {
            text += "y"
            data.append(2)
            try set("text", .string(text), draft)
            try set("data", .data(data), draft)
        }
        #expect(draft.size < 4 * (text.utf8.count + data.count), "\(draft.size) bytes")
        #expect(try value("text", draft) == .string(text) && value("data", draft) == .data(data))
        #expect(try value("title", draft) == nil && value("count", draft) == 7)
    }

    @Test func `a value that is now long and now short leaves no waste behind`() throws {
        let draft = draft()
        let long = String(repeating: "x", count: 50_000)
        for _ in 0..<500 {
            try set("text", .string(long), draft)
            try set("text", "", draft)
            try set("title", .string(long), draft)
            try set("title", nil, draft)
        }
        #expect(draft.size < 5 * long.utf8.count, "\(draft.size) bytes")
        #expect(try value("text", draft) == "" && value("title", draft) == nil)
    }

    @Test func `random edits read back as they were made, and the row is sealed without waste`() throws {
        var generator = SeededGenerator(seed: 14)
        let draft = draft()
        var model: [String: ManagedValue] = [:]
        for _ in 0..<3_000 {
            let name = ["title", "text", "data"].randomElement(using: &generator) ?? "title"
            let count = Int.random(in: 0..<(Bool.random(using: &generator) ? 20 : 3_000), using: &generator)
            let byte = UInt8.random(in: 97...122, using: &generator)
            let bytes = [UInt8](repeating: byte, count: count)
            var value = ManagedValue.string(String(decoding: bytes, as: UTF8.self))
            if name == "data" { value = .data(Data(bytes)) }
            if Int.random(in: 0..<10, using: &generator) == 0 { value = nil }
            try set(name, value, draft)
            model[name] = value
            for (name, value) in model { #expect(try self.value(name, draft) == value) }
        }
        var arena = RowArena()
        let row = layout.seal(draft, version: 1, in: &arena)
        for (name, value) in model {
            #expect(layout.entity.attribute(named: name)?.value(in: row.pointer) == value)
        }
        #expect(draft.size < 64_000, "\(draft.size) bytes")
    }

    @Test func `a copy of a row with shared bytes is edited like any`() throws {
        let first = draft()
        try set("title", "one", first)
        try set("text", "two", first)
        var arena = RowArena()
        let base = layout.seal(first, version: 1, in: &arena)
        let draft = DraftRow(copying: base.pointer, of: layout, base: base)
        for length in 1...400 { try set("text", .string(String(repeating: "z", count: length)), draft) }
        #expect(try value("title", draft) == "one")
        #expect(layout.changedSlots(of: draft).contains(try #require(layout.entity.attribute(named: "text")).slot))
        #expect(layout.entity.attribute(named: "text")?.value(in: base.pointer) == "two")
    }
}
