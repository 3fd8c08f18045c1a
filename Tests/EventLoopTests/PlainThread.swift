// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// A thread of the system, outside of Swift's pools.
struct PlainThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let thread: pthread_t

    init(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(run)).toOpaque()
        let result = pthread_create(&thread, nil, { Self.runBody($0) }, context)
        precondition(result == 0)
        self.thread = thread
    }

    func join() { pthread_join(thread, nil) }

    private static func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
}

/// A value that threads share.
final class Mutexed<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
}
