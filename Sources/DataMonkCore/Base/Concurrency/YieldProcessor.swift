import Foundation

/// Lets another thread run.
func yieldProcessor() { sched_yield() }
