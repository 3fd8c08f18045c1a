// SPDX-License-Identifier: MIT

import Glibc
import HTTPServer
import RadioCore
import Testing

@testable import Engine

/// Which failures to listen count as wrong usage. Only failures that a person must resolve do, because a service
/// manager does not restart a program that ended with wrong usage.
struct ListeningFailureTests {
    @Test(
        "A failure to listen is wrong usage only if it needs a person",
        arguments: [
            (EACCES, Failure.Class.usage), (EAFNOSUPPORT, .usage), (EINVAL, .usage), (ENOENT, .usage),
            (ENOTDIR, .usage), (EADDRINUSE, .listening),
            (EADDRNOTAVAIL, .listening), (EMFILE, .internal), (ENFILE, .internal), (ENOBUFS, .internal),
        ])
    func wrongUsage(number: CInt, kind: Failure.Class) throws {
        let error = ListenError(try #require(SocketAddress("127.0.0.1:8000")), errno: number)
        let failure = Failure(error)
        #expect(failure.failureClass == kind)
        #expect(failure.message == error.message && failure.remedy == error.remedy)
    }
}
