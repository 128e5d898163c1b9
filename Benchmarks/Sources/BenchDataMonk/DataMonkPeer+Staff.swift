import BenchKit
import DataMonk
import Foundation

/// Sorting, grouping and undo.
extension DataMonkPeer {
    func fetchStaff() throws { shown = try world.fetchAll(Employee.self, options: .Prefetch(["department"])) }

    func sortStaff() throws -> Digest {
        guard let employees = shown as? [Employee] else { throw BenchError("no employees") }
        let sorted = try employees.sorted(using: .Ascending("department.name") | .Descending("salary"))
        var digest = Digest()
        for (place, employee) in sorted.enumerated() { digest.add(place: place, salary: employee.salary) }
        return digest
    }

    func readMedianSalaries() throws -> Digest {
        let rows = try world.query(
            Person.self, .Select("location") | .Median("salary", alias: "median"), groupBy: %"location")
        var digest = Digest()
        for row in rows {
            digest.row()
            digest.addMean(try number(row["median"]))
        }
        return digest
    }

    func readSalariesOfDepartments() throws -> Digest {
        let rows = try world.query(
            Employee.self,
            .Select("department.name") | .Sum("salary", alias: "sum") | .Average("salary", alias: "mean"),
            groupBy: %"department.name")
        var digest = Digest()
        for row in rows {
            digest.row()
            digest.addMean(try number(row["sum"]))
            digest.addMean(try number(row["mean"]))
        }
        return digest
    }

    private func number(_ value: ManagedValue?) throws -> Double {
        switch value {
        case .double(let double): double
        case .decimal(let decimal): NSDecimalNumber(decimal: decimal).doubleValue
        default: throw BenchError("no number: \(String(describing: value))")
        }
    }

    func makeUndoSteps(_ count: Int) throws {
        let draft = world.draft()
        let manager = ContextUndoManager(levelsOfUndo: 0)
        draft.undoManager = manager
        let people = try draft.fetchAll(Person.self, options: .Limit(count))
        for step in 0..<count {
            manager.beginUndoGrouping()
            people[step % people.count].age += 1
            manager.endUndoGrouping()
        }
        self.draft = draft
    }

    func undoSteps(_ count: Int) throws {
        guard let draft else { throw BenchError("no draft") }
        for _ in 0..<count { draft.undo() }
        guard draft.undoManager?.canUndo == false else { throw BenchError("steps are left") }
    }
}
