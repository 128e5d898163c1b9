import BenchKit
import Foundation

/// **Confined.** A managed object, such as it is: its key, its row or nil while it is a fault, its changes.
class LeanObject {
    final let id: Int64
    final var row: UnsafeMutableRawPointer?
    /// A bit an attribute changed since the last save.
    final var changed: UInt64 = 0

    init(id: Int64, row: UnsafeMutableRawPointer?) {
        self.id = id
        self.row = row
    }

    deinit {
        if let row { RowArena.free(row) }
    }

    /// Every attribute read starts here: a fault has no row.
    @inline(__always)
    final var base: UnsafeMutableRawPointer { row ?? fire() }

    @inline(never)
    private func fire() -> UnsafeMutableRawPointer { preconditionFailure("the workloads read no faults") }

    @inline(__always) final func int(_ column: Int) -> Int64 { Int64(bitPattern: PackedRow.word(base, column)) }
    @inline(__always) final func double(_ column: Int) -> Double { Double(bitPattern: PackedRow.word(base, column)) }
    @inline(__always) final func text(_ column: Int) -> String { PackedRow.text(base, column) }

    @inline(__always)
    final func optionalText(_ column: Int) -> String? {
        let base = base
        return PackedRow.isNull(base, column) ? nil : PackedRow.text(base, column)
    }

    @inline(__always)
    final func optionalInt(_ column: Int) -> Int64? {
        let base = base
        return PackedRow.isNull(base, column) ? nil : Int64(bitPattern: PackedRow.word(base, column))
    }
}

final class LeanDepartment: LeanObject {}

final class LeanEmployee: LeanObject {
    var department: LeanDepartment?
}

final class LeanPerson: LeanObject {
    var name: String { text(1) }
    var age: Int {
        get { Int(int(2)) }
        set {
            PackedRow.setWord(base, 2, UInt64(bitPattern: Int64(newValue)))
            changed |= 1 << 2
        }
    }
    var location: String? { optionalText(3) }
    var salary: Double { double(4) }
    var created: Date { Date(timeIntervalSince1970: double(5)) }
    var friendID: Int64? { optionalInt(6) }

    @inline(__always)
    func add(to digest: inout Digest) {
        digest.row()
        digest.add(name)
        digest.add(age)
        digest.add(location)
        digest.add(salary)
        digest.add(created.timeIntervalSince1970)
        digest.add(friendID)
    }
}
