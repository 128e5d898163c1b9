import DataMonkCore
import Testing

struct SerialOrderTests {
    private var order = SerialOrder()

    @Test mutating func `tickets are granted in the order of their requests`() throws {
        let (first, entry) = order.request()
        let second = order.request().ticket
        let third = order.request().ticket
        #expect(entry == .granted)
        #expect(order.holder == first)
        #expect(order.release(first) == second)
        #expect(order.release(second) == third)
        #expect(order.release(third) == nil)
        #expect(order.holder == nil)
        try order.checkInvariants()
    }

    @Test mutating func `a continuation holds until its last release`() {
        let first = order.request().ticket
        let second = order.request().ticket
        order.reenter(first)
        #expect(order.release(first) == nil)
        #expect(order.holder == first)
        #expect(order.release(first) == second)
    }

    @Test mutating func `a holder closes when all that has entered again has left`() throws {
        let first = order.request().ticket
        let second = order.request().ticket
        order.reenter(first)
        let isEarly = order.close(first)
        #expect(!isEarly && !order.isClosed)
        #expect(order.release(first) == nil)
        let isClosed = order.close(first)
        #expect(isClosed && order.isClosed)
        try order.checkInvariants()
        #expect(order.release(first) == second)
        #expect(!order.isClosed)
        try order.checkInvariants()
    }

    @Test mutating func `a ticket leaves until it is granted`() throws {
        let first = order.request().ticket
        let second = order.request().ticket
        let third = order.request().ticket
        #expect(order.cancel(first) == .tooLate)
        #expect(order.cancel(second) == .left)
        #expect(order.cancel(second) == .tooLate)
        try order.checkInvariants()
        #expect(order.release(first) == third)
    }

    @Test func `releasing for somebody else is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var order = SerialOrder()
            _ = order.request()
            _ = order.release(order.request().ticket)
        }
    }
}
