import DataMonk

@Entity
final class Department: ManagedObject {
    var name: String = ""
    var employees: Set<Employee>
}

@Entity
final class Employee: ManagedObject {
    var name: String = ""
    var title: String?
    var salary: Double = 0
    @Relationship(inverse: \Department.employees) var department: Department?
}
