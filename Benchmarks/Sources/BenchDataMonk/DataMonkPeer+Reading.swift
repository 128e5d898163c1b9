import BenchKit
import DataMonk
import Foundation

extension DataMonkPeer {
    func fetchAllPeople() throws -> Digest {
        let people = try world.fetchAll(Person.self)
        shown = people
        return digest(of: people)
    }

    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest {
        let people = try world.fetchAll(
            Person.self, %"age" >= minimumAge && %"location" == location, orderBy: .Ascending("name"),
            options: .Limit(limit))
        shown = people
        return digest(of: people)
    }

    func fetchFirstPerson() throws -> Digest {
        digest(of: try world.fetchAll(Person.self, options: .Limit(1)))
    }

    func aggregate(minimumAge: Int) throws -> Digest {
        var digest = Digest()
        digest.add(try world.count(Person.self, %"age" >= minimumAge))
        let rows = try world.query(
            Person.self, .Select("location") | .Count("salary", alias: "count") | .Average("salary", alias: "mean"),
            groupBy: %"location")
        for row in rows {
            guard case .int(let count) = row["count"], case .decimal(let mean) = row["mean"] else {
                throw BenchError("unexpected row \(row)")
            }
            digest.row()
            digest.add(count)
            digest.addMean(NSDecimalNumber(decimal: mean).doubleValue)
        }
        return digest
    }

    func lookUp(ids keys: [Int64]) throws -> Digest {
        var digest = Digest()
        var people: [Person] = []
        for key in keys {
            let person = try world.use(id(of: key))
            person.add(to: &digest)
            people.append(person)
        }
        shown = people
        return digest
    }

    /// An update for each, which begins with nothing.
    func lookUpSeparately(ids keys: [Int64]) throws -> Digest {
        var digest = Digest()
        for key in keys {
            let id = try id(of: key)
            digest.add(
                try updater.beginUpdateAndWait { update in
                    var digest = Digest()
                    try update.use(id).add(to: &digest)
                    return digest
                })
        }
        return digest
    }

    func readDepartmentNames() throws -> Digest {
        departmentNames(of: try world.fetchAll(Employee.self, options: .Prefetch(["department"])))
    }

    func readDepartmentNamesLazily() throws -> Digest {
        departmentNames(of: try world.fetchAll(Employee.self))
    }

    func digest(of people: [Person]) -> Digest {
        var digest = Digest()
        for person in people { person.add(to: &digest) }
        return digest
    }

    private func departmentNames(of employees: [Employee]) -> Digest {
        var digest = Digest()
        for employee in employees {
            digest.row()
            digest.add(employee.name)
            digest.add(employee.title)
            digest.add(employee.salary)
            digest.add(employee.department?.name)
        }
        return digest
    }
}
