import BenchKit
import DataMonk
import GRDB

/// `bulk_inserts.py`: many rows in one transaction.
extension Suite {
    static let bulkInserts = Suite(
        name: "bulk_inserts", count: 100_000, contents: .nothing,
        tests: [
            // Theirs flushes every thousand objects within the transaction. An update has one flush: its commit.
            Test("test_flush_no_pk", "`create`, one commit") { file, count in
                try file.update { update in
                    for number in 0..<count { try update.create(Customer.self).take(CustomerInput(number)) }
                    try update.commit()
                }
                return nil
            } grdb: { file, count in
                try file.pool.write { database in
                    for number in 0..<count {
                        var customer = CustomerRecord(CustomerInput(number))
                        try customer.insert(database)
                    }
                }
                return nil
            },

            Test("test_flush_pk_given", "`create` with a unique value, one commit") { file, count in
                try file.update { update in
                    for number in 0..<count { try update.create(NumberedCustomer.self).take(CustomerInput(number)) }
                    try update.commit()
                }
                return nil
            } grdb: { file, count in
                try file.pool.write { database in
                    for number in 0..<count {
                        var customer = CustomerRecord(CustomerInput(number), id: number + 1)
                        try customer.insert(database)
                    }
                }
                return nil
            },

            Test("test_orm_bulk_insert", "`batchInsert` of dictionaries") { file, count in
                let customers = (0..<count).map { CustomerInput($0).values }
                try file.update { try $0.batchInsert(Customer.self, customers) }
                return nil
            } grdb: { file, count in
                try file.pool.write { database in
                    for number in 0..<count { _ = try CustomerRecord(CustomerInput(number)).inserted(database) }
                }
                return nil
            },

            Test("test_orm_insert_returning", "`batchInsert` for ids, `fetch` of them") { file, count in
                let digest = try file.update { update in
                    var request = BatchInsertRequest(
                        entityName: "Customer", objects: (0..<count).map { CustomerInput($0).values })
                    request.resultType = .objectIDs
                    let ids = try update.execute(request).objectIDs ?? []
                    var digest = Digest()
                    for customer in try update.fetch(Customer.self, ids) { customer.add(to: &digest) }
                    return digest
                }
                if digest.rows != count { throw BenchError("\(digest.rows) customers in place of \(count)") }
                return nil
            } grdb: { file, count in
                let digest = try file.pool.write { database in
                    var digest = Digest()
                    let customers = try (0..<count).map { number in
                        try CustomerRecord(CustomerInput(number)).insertAndFetch(database)
                    }
                    for customer in customers { customer.add(to: &digest) }
                    return digest
                }
                if digest.rows != count { throw BenchError("\(digest.rows) customers in place of \(count)") }
                return nil
            },

            Test("test_core_insert", "`batchInsert` by a closure for dictionaries") { file, count in
                try file.update { update in
                    var numbers = (0..<count).makeIterator()
                    let request = BatchInsertRequest(entityName: "Customer") { values in
                        guard let number = numbers.next() else { return true }
                        values = CustomerInput(number).values
                        return false
                    }
                    return try update.execute(request).count
                }
                return nil
            } grdb: { file, count in
                try file.pool.write { database in
                    let statement = try database.makeStatement(
                        sql: "INSERT INTO customer (name, description) VALUES (:name, :description)")
                    for number in 0..<count {
                        let input = CustomerInput(number)
                        try statement.execute(arguments: ["name": input.name, "description": input.details])
                    }
                }
                return nil
            },

            // DataMonk has no statements that write.
            Test("test_dbapi_raw", "`batchInsert` by a closure for objects") { file, count in
                try file.update { update in
                    var numbers = (0..<count).makeIterator()
                    return try update.batchInsert(Customer.self) { customer in
                        guard let number = numbers.next() else { return true }
                        customer.take(CustomerInput(number))
                        return false
                    }
                }
                return nil
            } grdb: { file, count in
                try file.pool.write { database in
                    let statement = try database.makeStatement(
                        sql: "INSERT INTO customer (name, description) VALUES (?, ?)")
                    for number in 0..<count {
                        let input = CustomerInput(number)
                        statement.setUncheckedArguments([input.name, input.details])
                        try statement.execute()
                    }
                }
                return nil
            },
        ])
}

extension CustomerInput {
    /// The values without the id, which the store gives.
    var values: [String: ManagedValue] { ["name": .string(name), "details": .string(details)] }
}
