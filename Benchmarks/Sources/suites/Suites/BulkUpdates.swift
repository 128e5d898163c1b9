import BenchKit
import DataMonk
import GRDB

/// `bulk_updates.py`: all rows are read and changed in one transaction, about a thousand at a time.
extension Suite {
    static let bulkUpdates = Suite(
        name: "bulk_updates", count: 100_000, contents: .customers,
        tests: [
            // Both bounds are included, so the customers between two parts are changed twice.
            Test("test_orm_flush", "`fetchAll` of a thousand, one commit") { file, count in
                try file.update { update in
                    for start in stride(from: 0, to: count, by: 1_000) {
                        let customers = try update.fetchAll(
                            NumberedCustomer.self, %"id"%.between(start...start + 1_000))
                        for customer in customers { customer.details? += "updated" }
                    }
                    try update.commit()
                }
                return nil
            } grdb: { file, count in
                try file.pool.write { database in
                    for start in stride(from: 0, to: count, by: 1_000) {
                        var customers =
                            try CustomerRecord
                            .filter((start...start + 1_000).contains(Column("id")))
                            .fetchAll(database)
                        for index in customers.indices {
                            customers[index].details? += "updated"
                            try customers[index].update(database, columns: ["description"])
                        }
                    }
                }
                return nil
            }
        ])
}
