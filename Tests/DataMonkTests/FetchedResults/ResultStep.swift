#if Macros
    import DataMonkTesting

    /// **Value.** One thing that happens to the employees of a random run. Objects are named by their numbers; who is not
    /// there, or not known yet, is left alone.
    enum ResultStep: Hashable, Sendable {
        /// Which context acts: the one with the lists, or another one.
        enum Actor: Hashable, Sendable, CaseIterable { case own, other }

        case insert(Actor, age: Int, note: Int)
        case delete(Actor, Int)
        case age(Actor, Int, Int)
        case note(Actor, Int, Int)
        case name(Actor, Int, Int)
        case department(Actor, Int, Int?)
        case manager(Actor, Int, Int?)
        case departmentName(Actor, Int, Int)
        case deleteDepartment(Actor, Int)
        case save(Actor)
        case rollback(Actor)
        case endEvent
        case merge
        case refresh(Int)
        case refreshAll
        case undo
        case redo
        case reset
        case fetch(Int)
        case refetch(Int)
        /// Compares every list with a new fetch.
        case compare
    }

    extension ResultStep {
        static func random(objects: Int, lists: Int, using random: inout SeededGenerator) -> ResultStep {
            func any(_ count: Int) -> Int { Int.random(in: 0..<max(count, 1), using: &random) }
            // Most of what happens, happens where the lists are.
            let actor: Actor = any(3) == 0 ? .other : .own
            func other() -> Int? { any(4) == 0 ? nil : any(objects) }
            switch any(40) {
            case 0..<5: return .insert(actor, age: any(7), note: any(4))
            case 5, 6: return .delete(actor, any(objects))
            case 7..<11: return .age(actor, any(objects), any(7))
            case 11..<14: return .note(actor, any(objects), any(4))
            case 14, 15: return .name(actor, any(objects), any(4))
            case 16..<19: return .department(actor, any(objects), any(4) == 0 ? nil : any(4))
            case 19, 20: return .manager(actor, any(objects), other())
            case 21, 22: return .departmentName(actor, any(4), any(5))
            case 23: return .deleteDepartment(actor, any(4))
            case 24, 25: return .save(.other)
            case 26, 27: return .save(.own)
            case 28: return .rollback(actor)
            case 29, 30: return .endEvent
            case 31: return .merge
            case 32: return .refresh(any(objects))
            case 33: return any(3) == 0 ? .refreshAll : .merge
            case 34: return .undo
            case 35: return any(2) == 0 ? .redo : .undo
            case 36: return any(6) == 0 ? .reset : .endEvent
            case 37: return any(2) == 0 ? .fetch(any(lists)) : .refetch(any(lists))
            default: return .compare
            }
        }
    }
#endif
