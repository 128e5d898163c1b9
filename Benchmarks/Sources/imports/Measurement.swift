import DataMonk
import Foundation

/// **Value.** One way to get rows into a file, measured in a process of its own.
enum Measurement: String, CaseIterable {
    /// A batch insert of rows that are made on the way: what an import is measured against.
    case batch
    /// An import of rows that are made on the way, and of the same rows again.
    case rows, again
    /// A batch insert that updates, of rows that are there.
    case upsert

    /// The input and the files are in a folder of their own.
    func run(_ count: Int, in folder: URL) async throws -> Double {
        let stack = try Stack(Villager.self)
        try stack.addDatabaseStore(fileURL: folder.appendingPathComponent("villagers.sqlite"), synchronous: .normal)
        let context = try Context(stack: stack)
        func batch() async throws {
            try await context.update { update in
                var numbers = (0..<count).makeIterator()
                try update.batchInsert(Villager.self) { villager in
                    guard let number = numbers.next() else { return true }
                    let input = VillagerInput(number)
                    villager.number = input.number
                    villager.name = input.name
                    villager.age = input.age
                    villager.location = input.location
                    villager.salary = input.salary
                    villager.created = Date(timeIntervalSinceReferenceDate: Double(number))
                    return false
                }
            }
        }
        func rows() async throws -> ImportReport {
            try await stack.importRows(Villager.self, from: MadeRows(count: count))
        }
        switch self {
        case .batch: return try await seconds { try await batch() }
        case .rows:
            return try await seconds { try require(try await rows().inserted == count) }
        case .again:
            _ = try await rows()
            return try await seconds { try require(try await rows().unchanged == count) }
        case .upsert:
            try await batch()
            return try await seconds {
                try await context.update { update in
                    var numbers = (0..<count).makeIterator()
                    var request = BatchInsertRequest(entityName: "Villager") { values in
                        guard let number = numbers.next() else { return true }
                        values = ["number": .int(Int64(number)), "age": 5]
                        return false
                    }
                    request.duplicates = .updated
                    try require(try update.execute(request).upsert?.insertedCount == 0)
                }
            }
        }
    }

    private func seconds(_ body: () async throws -> Void) async throws -> Double {
        let begin = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - begin) / .seconds(1)
    }

    private func require(_ condition: Bool) throws {
        if !condition { throw CocoaError(.coderInvalidValue) }
    }
}

/// **Value.** Rows that are made when they are read.
struct MadeRows: AsyncSequence, Sendable {
    let count: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        let count: Int
        var number = 0

        mutating func next() async -> ImportRow? {
            if number == count { return nil }
            defer { number += 1 }
            return ImportRow(at: ImportPlace(index: number), values: VillagerInput(number).values)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }
}
