// SPDX-License-Identifier: MIT

/// A weak reference to an object of the loop, for other threads: the only way for them to return results to the loop.
///
/// Each call runs on the loop's thread, in order with everything posted there. It does nothing if the object has been
/// released by then or the loop has closed: an abandoned thread may still report.
///
/// Sendable, unchecked, although `Object` need not be. Proof: `object` is set and read only on the loop's thread, where
/// ``bind(_:)`` and ``object`` are called, and where the inbox runs its items. Any thread may release the last
/// reference to this: the weak reference destroyed with it does not touch the object.
package final class LoopBound<Object: AnyObject>: @unchecked Sendable {
    private let inbox: Inbox
    /// The object; nil if it has been released. On the loop only.
    package private(set) weak var object: Object?

    /// An empty reference, for an object that is created later; see also ``Reactor/bind(_:)``.
    package init(_ reactor: any Reactor) {
        inbox = reactor.inbox
    }

    /// Sets the object. On the loop only.
    package func bind(_ object: Object) {
        self.object = object
    }

    /// Runs `body` with the object on the loop's thread, later and never inside this call. May be called on any thread;
    /// never blocks.
    package func tell(_ body: @escaping @Sendable (Object) -> Void) {
        inbox.put(.call { [self] in if let object { body(object) } })
    }
}

extension Reactor {
    /// A reference to an object of the loop, for use by other threads.
    package func bind<Object: AnyObject>(_ object: Object) -> LoopBound<Object> {
        let bound = LoopBound<Object>(self)
        bound.bind(object)
        return bound
    }
}
