/// The statements on the plain schema.
enum RawSQL {
    static let columns = "id, name, age, location, salary, created, friend_id"
    static let allPeople = "SELECT \(columns) FROM person"
    static let query = "SELECT \(columns) FROM person WHERE age >= ? AND location = ? ORDER BY name LIMIT ?"
    static let byID = "SELECT \(columns) FROM person WHERE id = ?"
    static let page = "SELECT \(columns) FROM person WHERE id >= ? ORDER BY id LIMIT 100"
    static let insert = "INSERT INTO person(\(columns)) VALUES(?, ?, ?, ?, ?, ?, ?)"
    static let updateAge = "UPDATE person SET age = ? WHERE id = ?"
    static let delete = "DELETE FROM person WHERE id = ?"
    static let count = "SELECT count(*) FROM person WHERE age >= ?"
    static let group = "SELECT location, count(*), avg(salary) FROM person GROUP BY location"
    static let employeesWithDepartment = """
        SELECT e.id, e.name, e.title, e.salary, d.id, d.name FROM employee e JOIN department d ON d.id = e.department_id
        """
    static let employees = "SELECT id, name, title, salary, department_id FROM employee"
    static let departments = "SELECT id, name FROM department"
    static let department = "SELECT id, name FROM department WHERE id = ?"
}
