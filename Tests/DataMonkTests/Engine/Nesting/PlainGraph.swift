#if Macros
    /// What a graph of employees and departments should be: values and names, written without any cleverness.
    struct PlainGraph: Equatable {
        var ages: [String: Int] = [:]
        var department: [String: String] = [:]
        var friends: [String: Set<String>] = [:]
        var managers: [String: String] = [:]
        /// The company's departments, in order.
        var departments: [String] = []

        mutating func setFriends(_ name: String, _ others: Set<String>) {
            for other in friends[name] ?? [] where other != name { friends[other]?.remove(name) }
            friends[name] = others
            for other in others { friends[other, default: []].insert(name) }
        }

        mutating func deleteEmployee(_ name: String) {
            setFriends(name, [])
            friends[name] = nil
            managers[name] = nil
            for report in managers.keys where managers[report] == name { managers[report] = nil }
            department[name] = nil
            ages[name] = nil
        }

        mutating func deleteDepartment(_ name: String) {
            for employee in department.keys where department[employee] == name { department[employee] = nil }
            departments.removeAll { $0 == name }
        }

        /// The names of those younger than a bound, by age, then by name.
        func names(youngerThan bound: Int) -> [String] {
            ages.filter { $0.value < bound }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        }

        /// Employees without friends have an empty set, as a graph shows them.
        static func == (left: PlainGraph, right: PlainGraph) -> Bool {
            left.ages == right.ages && left.department == right.department && left.managers == right.managers
                && left.departments == right.departments
                && left.friends.filter { !$0.value.isEmpty } == right.friends.filter { !$0.value.isEmpty }
        }
    }
#endif
