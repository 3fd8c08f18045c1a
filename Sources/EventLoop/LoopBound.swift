// SPDX-License-Identifier: MIT

/// A weak reference to an object of the loop, for other threads: the one way on which their results come back.
///
/// What it is told runs on the loop's thread, in the order of all that is posted there. Nothing happens where the
/// object is gone by then, or the loop has closed: a thread that nobody waits for may still speak.
///
/// Sendable, unchecked, although `Object` need not be. Proof: `object` is set and read on the loop's thread alone,
/// inside ``bind(_:)`` and inside what the inbox runs. Any thread may let go of the last reference to this: the weak
/// one that goes with it does not touch the object.
package final class LoopBound<Object: AnyObject>: @unchecked Sendable {
    private let inbox: Inbox
    private weak var object: Object?

    /// A reference to nothing yet, for an object that is made later; see also ``Reactor/bind(_:)``.
    package init(_ reactor: any Reactor) {
        inbox = reactor.inbox
    }

    /// Names the object; on the loop.
    package func bind(_ object: Object) {
        self.object = object
    }

    /// Runs `body` with the object on the loop's thread, later and never inside this call. Any thread; never blocks.
    package func tell(_ body: @escaping @Sendable (Object) -> Void) {
        inbox.put(.call { [self] in if let object { body(object) } })
    }
}

extension Reactor {
    /// A reference to an object of the loop that other threads may have.
    package func bind<Object: AnyObject>(_ object: Object) -> LoopBound<Object> {
        let bound = LoopBound<Object>(self)
        bound.bind(object)
        return bound
    }
}
