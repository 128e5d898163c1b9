#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite("Rows of typed values") @MainActor struct TypedRowTests {
        @Test func `columns have the types of their keys`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let rows = try World.query(
                    Abbey.Monk.self, .select(\.name), .select(\.rank), .select(\.teacher.age), .select(\.nick),
                    orderBy: .ascending(\.name))
                let names: [String] = rows.map(\.0)
                let ranks: [Abbey.Rank] = rows.map(\.1)
                let ages: [Int?] = rows.map(\.2)
                let nicks: [String?] = rows.map(\.3)
                #expect(names == ["Bo", "Chan", "Wei", "Émile"])
                #expect(ranks == [.monk, .monk, .abbot, .novice])
                #expect(ages == [60, nil, nil, 60])
                #expect(nicks == ["Bo", nil, "old", ""])
            }
        }

        @Test func `figures, groups, and a condition on groups`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let rows = try World.query(
                    Abbey.Monk.self, .select(\.rank), .average(\.age), .min(\.height), .count, .count(\.nick),
                    orderBy: .descending(.average(\.age)), groupBy: .key(\.rank),
                    having: { $0[.average(\.age)] > 20 && $0[.count] < 3 }, where: { $0.age > 0 })
                #expect(rows.map(\.0) == [.abbot, .monk])
                #expect(rows.map(\.1) == [60, 30])
                #expect(rows.map(\.2) == [1.7, 1.5])
                #expect(rows.map(\.3) == [1, 2])
                #expect(rows.map(\.4) == [1, 1])
                let pairs = try World.query(
                    Abbey.Monk.self, .count, orderBy: .ascending(\.age), groupBy: .key(\.age) | .key(\.rank))
                #expect(pairs == [1, 2, 1])
            }
        }

        @Test func `one value`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let mean: Decimal? = try World.queryValue(Abbey.Monk.self, .average(\.age)) { $0.age >= 30 }
                #expect(mean == 40)
                #expect(try World.queryValue(Abbey.Monk.self, .max(\.age)) == 60)
                #expect(try World.queryValue(Abbey.Monk.self, .min(\.name)) { $0.teacher != nil } == "Bo")
                #expect(try World.queryValue(Abbey.Monk.self, .median(\.age)) == 30)
                #expect(try World.queryValue(Abbey.Monk.self, .count) { $0.age > 100 } == 0)
                #expect(try World.queryValue(Abbey.Monk.self, .sum(\.age)) { $0.age > 100 } == nil)
                #expect(try World.queryValue(Abbey.Monk.self, .count(\.nick)) == 3)
            }
        }

        @Test func `sums and means of decimals are exact`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let sum = try World.queryValue(Abbey.Monk.self, .sum(\.salary)) { $0.salary < 1 }
                let mean = try World.queryValue(Abbey.Monk.self, .average(\.salary)) { $0.salary < 1 }
                #expect(sum == Decimal(string: "0.3"))
                #expect(mean == Decimal(string: "0.15"))
            }
        }

        @Test func `calculations as columns, in figures, orders and conditions on groups`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let ages = try World.query(Abbey.Monk.self, .select(\.age), orderBy: .ascending(\.name))
                let rows = try World.query(
                    Abbey.Monk.self, .select { $0.name }, .select { $0.age * 2 }, .select { $0.teacher.age },
                    .select(\.pupils.count), orderBy: .ascending(\.name))
                let doubled: [Int?] = rows.map(\.1)
                #expect(rows.map(\.0) == ["Bo", "Chan", "Wei", "Émile"])
                #expect(doubled == ages.map { $0 * 2 })
                #expect(rows.map(\.2) == [60, nil, nil, 60])
                #expect(rows.map(\.3) == [0, 0, 2, 0])
                let sum = try World.queryValue(Abbey.Monk.self, .sum { $0.age * 2 - 1 })
                #expect(sum == Decimal(2 * ages.reduce(0, +) - 4))
                #expect(try World.queryValue(Abbey.Monk.self, .average { $0.age * 2 }) { $0.age >= 30 } == 80)
                #expect(try World.queryValue(Abbey.Monk.self, .max { $0.age + 1 }) == 61)
                #expect(try World.queryValue(Abbey.Monk.self, .min { $0.height * 2 }) { $0.age >= 60 } == 3.4)
                let groups = try World.query(
                    Abbey.Monk.self, .select { $0.rank }, .max { $0.age * 2 },
                    orderBy: .descending(.max { $0.age * 2 }), groupBy: .key(\.rank),
                    having: { $0[.max { $0.age * 2 }] >= 60 })
                #expect(groups.map(\.0) == [.abbot, .monk])
                #expect(groups.map(\.1) == [120, 60])
                let names = try World.fetchAll(Abbey.Monk.self, orderBy: .descending(\.pupils.count)).map(\.name)
                #expect(names.first == "Wei")
            }
        }

        @Test func `every figure of a calculation`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                #expect(try World.queryValue(Abbey.Monk.self, .count { $0.teacher.age + 1 }) == 2)
                #expect(try World.queryValue(Abbey.Monk.self, .median { $0.age * 2 }) == 60)
                let deviation = try World.queryValue(Abbey.Monk.self, .stdDev(\.age))
                let double = try World.queryValue(Abbey.Monk.self, .stdDev { $0.age * 2 })
                #expect(try #require(deviation) * 2 == double)
            }
        }

        @Test func `the same column twice`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let rows = try World.query(
                    Abbey.Monk.self, .select { $0.age * 2 }, .select(\.age), .select { $0.age * 2 }, .select(\.age),
                    orderBy: .ascending(.select { $0.age * 2 }) | .ascending(\.name))
                #expect(rows.map(\.0) == [34, 60, 60, 120] && rows.map(\.2) == rows.map(\.0))
                #expect(rows.map(\.1) == [17, 30, 30, 60] && rows.map(\.3) == rows.map(\.1))
            }
        }

        @Test func `the id a to-one leads to`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let wei = try World.fetchID(Abbey.Monk.self) { $0.name == "Wei" }
                let rows = try World.query(Abbey.Monk.self, .select(\.teacher), orderBy: .ascending(\.name))
                #expect(rows == [wei, nil, nil, wei])
            }
        }

        @Test func `a column that is not there is refused`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let error = #expect(throws: FetchError.self) {
                    try World.query(
                        Abbey.Monk.self, .select(\.rank), .count, groupBy: .key(\.rank),
                        having: { $0[.average(\.age)] > 20 })
                }
                #expect(error?.code == .unknownKey)
            }
        }

        // MARK: Decoding

        private struct Place: Decodable, Equatable {
            var rank: Abbey.Rank
            var mean: Decimal
            var height: Double
            var people: Int
            var name: String?
        }

        @Test func `rows are decoded by the names of their columns`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let rows = try World.query(
                    Abbey.Monk.self,
                    .Select("rank") | .Average("age", alias: "mean") | .Max("height") | .Count("self", alias: "people"),
                    orderBy: .Ascending("rank"), groupBy: %"rank", as: Place.self)
                #expect(
                    rows == [
                        Place(rank: .novice, mean: 17, height: 1.6, people: 1),
                        Place(rank: .monk, mean: 30, height: 1.8, people: 2),
                        Place(rank: .abbot, mean: 60, height: 1.7, people: 1),
                    ])
            }
        }

        private struct Details: Decodable {
            var born: Date?
            var badge: UUID?
            var seal: Data?
            var isAwake: Bool
            var salary: Decimal
            var age: UInt8
        }

        @Test func `values of every type are decoded`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let rows = try World.query(
                    Abbey.Monk.self, .Select("born", "badge", "seal", "isAwake", "salary", "age"), %"name" == "Wei",
                    as: Details.self)
                let details = try #require(rows.first)
                #expect(details.born == Date(timeIntervalSinceReferenceDate: 0))
                #expect(details.badge == Abbey.badge && details.seal == Data([1, 2]) && details.isAwake)
                #expect(details.salary == Decimal(string: "0.1") && details.age == 60)
            }
        }

        private struct Named: Decodable { var name: Int }
        private struct Nicked: Decodable { var nick: String }

        @Test func `a row that does not fit names the column`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let wrongType = #expect(throws: FetchError.self) {
                    try World.query(Abbey.Monk.self, .Select("name"), as: Named.self)
                }
                #expect(wrongType?.keyPath == "name" && wrongType?.code == .typeMismatch)
                let none = #expect(throws: FetchError.self) {
                    try World.query(Abbey.Monk.self, .Select("nick"), as: Nicked.self)
                }
                #expect(none?.keyPath == "nick" && none?.message.contains("optional") == true)
                let missing = #expect(throws: FetchError.self) {
                    try World.query(Abbey.Monk.self, .Select("age"), as: Nicked.self)
                }
                #expect(missing?.keyPath == "nick" && missing?.code == .unknownKey)
            }
        }

        @Test func `an option may narrow a fetch to a sub-entity, and not lead it elsewhere`() async throws {
            for (World, _) in try await Abbey.inEachStore() {
                let beings = try World.fetchAll(Abbey.Being.self, options: .Tweak { $0.entityName = "Brother" })
                #expect(beings.count == 4)
                let error = #expect(throws: FetchError.self) {
                    try World.fetchAll(Abbey.Being.self, options: .Tweak { $0.entityName = "Temple" })
                }
                #expect(error?.code == .invalidRequest && error?.entityName == "Being")
                #expect(throws: FetchError.self) {
                    try World.query(
                        Abbey.Monk.self, .select(\.name), options: .Tweak { $0.propertiesToFetch = [.init("age")] })
                }
            }
        }
    }
#endif
