import BenchKit
import DataMonk
import GRDB

/// `single_inserts.py`: one row, one commit, again and again. Theirs commits to a rollback journal with synchronous=FULL, which
/// is SQLite's default; ours is measured with that durability, and with NORMAL beside theirs with a log and NORMAL.
extension Suite {
    static let syncedSingleInserts = Suite(
        name: "single_inserts", count: 10_000, durability: .full, contents: .nothing, tests: tests)

    static let singleInserts = Suite(
        name: "single_inserts_normal", count: 10_000, contents: .nothing, tests: tests)

    private static let tests = [
        Test("test_orm_commit", "an update: `create`, commit") { file, count in
            for number in 0..<count {
                try file.update { update in
                    try update.create(Customer.self).take(CustomerInput(number))
                    try update.commit()
                }
            }
            return nil
        } grdb: { file, count in
            for number in 0..<count {
                var customer = CustomerRecord(CustomerInput(number))
                try file.pool.write { try customer.insert($0) }
            }
            return nil
        },

        Test("test_bulk_save", "`batchInsert` by a closure for objects", dataMonk: insertObjects) { file, count in
            for number in 0..<count {
                _ = try file.pool.write { try CustomerRecord(CustomerInput(number)).inserted($0) }
            }
            return nil
        },

        Test("test_bulk_insert_dictionaries", "`batchInsert` of a dictionary", dataMonk: insertDictionaries) {
            file, count in
            for number in 0..<count {
                let input = CustomerInput(number)
                try file.pool.write { database in
                    try database.cachedStatement(sql: GRDBFile.insertion)
                        .execute(arguments: ["name": input.name, "description": input.details])
                }
            }
            return nil
        },

        Test("test_core", "the same", dataMonk: insertDictionaries) { file, count in
            for number in 0..<count {
                let input = CustomerInput(number)
                try file.pool.write { database in
                    try database.execute(
                        sql: GRDBFile.insertion, arguments: ["name": input.name, "description": input.details])
                }
            }
            return nil
        },

        Test("test_core_query_caching", "the same", dataMonk: insertDictionaries) { file, count in
            try file.insertUnchecked(count)
        },

        // The file stays open besides, as theirs does. A tenth, as opening takes much longer than a commit.
        Test("test_dbapi_raw_w_connect", "a stack, an update: `create`, commit", reduction: 10) { file, count in
            for number in 0..<count {
                let own = try DataMonkFile(file.url, durability: file.durability)
                try own.update { update in
                    try update.create(Customer.self).take(CustomerInput(number))
                    try update.commit()
                }
                try own.close()
            }
            return nil
        } grdb: { file, count in
            for number in 0..<count {
                let own = try GRDBFile(file.url, durability: file.durability)
                var customer = CustomerRecord(CustomerInput(number))
                try own.pool.write { try customer.insert($0) }
                try own.close()
            }
            return nil
        },

        Test("test_dbapi_raw_w_pool", "`batchInsert` by a closure for objects", dataMonk: insertObjects) {
            file, count in
            try file.insertUnchecked(count)
        },
    ]
}

@Sendable private func insertObjects(_ file: DataMonkFile, _ count: Int) throws -> Digest? {
    for number in 0..<count {
        try file.update { update in
            var isDone = false
            return try update.batchInsert(Customer.self) { customer in
                if isDone { return true }
                customer.take(CustomerInput(number))
                isDone = true
                return false
            }
        }
    }
    return nil
}

@Sendable private func insertDictionaries(_ file: DataMonkFile, _ count: Int) throws -> Digest? {
    for number in 0..<count {
        try file.update { try $0.batchInsert(Customer.self, [CustomerInput(number).values]) }
    }
    return nil
}

extension GRDBFile {
    fileprivate static let insertion = "INSERT INTO customer (name, description) VALUES (:name, :description)"

    fileprivate func insertUnchecked(_ count: Int) throws -> Digest? {
        for number in 0..<count {
            let input = CustomerInput(number)
            try pool.write { database in
                let statement = try database.cachedStatement(sql: Self.insertion)
                statement.setUncheckedArguments([input.name, input.details])
                try statement.execute()
            }
        }
        return nil
    }
}
