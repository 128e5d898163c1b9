import DataMonkCore
import Foundation

extension MigrationReport {
    /// The output of `migrate --json`.
    package var json: JSONValue {
        [
            "path": .optional(plan.storeURL?.path), "bytes": .integer(plan.storeByteCount),
            "isNeeded": .bool(!plan.isEmpty), "isRefused": .bool(plan.isRefused),
            "isAdditive": .bool(plan.isAdditive),
            "requiredBytes": .integer(plan.requiredByteCount),
            "stages": .array(plan.stages.map(\.json)), "backup": backup?.json ?? .null, "isMigrated": .bool(isDone),
            "notes": .strings(notes),
        ]
    }
}

extension MigrationPlan.Stage {
    fileprivate var json: JSONValue {
        [
            "steps": .array(steps.map(\.json)), "discards": .array(discards.map(\.json)),
            "obstacles": .array(obstacles.map(\.json)), "requiredBytes": .integer(requiredByteCount),
        ]
    }
}

extension MigrationPlan.Step {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "entity": .string(entityName), "property": .optional(propertyName),
            "source": .optional(sourceName), "rows": rowCount.map { .integer($0) } ?? .null,
            "text": .string(description),
        ]
    }
}

extension MigrationPlan.Discard {
    fileprivate var json: JSONValue {
        [
            "kind": .string(problem.kind.rawValue), "entity": .optional(problem.entityName),
            "property": .optional(problem.propertyName), "count": problem.count.map { .integer($0) } ?? .null,
            "isPermitted": .bool(isPermitted), "message": .string(problem.message),
        ]
    }
}

extension MigrationError.Problem {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "entity": .optional(entityName), "property": .optional(propertyName),
            "count": count.map { .integer($0) } ?? .null, "message": .string(message),
        ]
    }
}
