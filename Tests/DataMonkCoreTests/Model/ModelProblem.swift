import DataMonkCore

/// **Value.** A problem without its message: what a test of validation expects.
struct ModelProblem: Hashable, CustomStringConvertible {
    let kind: ModelError.Problem.Kind
    let entity: String?
    let property: String?

    init(_ kind: ModelError.Problem.Kind, _ entity: String? = nil, _ property: String? = nil) {
        self.kind = kind
        self.entity = entity
        self.property = property
    }

    var description: String { "\(kind.rawValue) at \(entity ?? "-").\(property ?? "-")" }

    /// The problems of a model, empty when it is sound.
    static func found(
        configurations: [String: [String]] = [:], fetchRequestTemplates: [FetchRequestTemplate] = [],
        @ManagedObjectModel.EntitiesBuilder in entities: () -> [EntityDescription]
    ) -> [ModelProblem] {
        do {
            _ = try ManagedObjectModel(
                entities: entities(), configurations: configurations, fetchRequestTemplates: fetchRequestTemplates)
            return []
        } catch {
            return error.problems.map { ModelProblem($0.kind, $0.entityName, $0.propertyName) }
        }
    }

    /// The message of the only problem of a model.
    static func message(@ManagedObjectModel.EntitiesBuilder in entities: () -> [EntityDescription]) -> String {
        do {
            _ = try ManagedObjectModel(entities: entities)
            return ""
        } catch {
            return error.problems.first?.message ?? ""
        }
    }
}
