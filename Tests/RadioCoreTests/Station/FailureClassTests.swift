// SPDX-License-Identifier: MIT

import RadioCore
import Testing

struct FailureClassTests {
    private func classes(where holds: (Failure.Class) -> Bool) -> Set<Failure.Class> {
        Set(Failure.Class.allCases.filter(holds))
    }

    @Test func `every class of failure has its exit status`() {
        #expect(ExitStatus.done.rawValue == 0)
        for kind in Failure.Class.allCases {
            switch kind {
            case .usage: #expect(kind.exitStatus.rawValue == 64)
            case .storage: #expect(kind.exitStatus.rawValue == 74)
            case .configuration: #expect(kind.exitStatus.rawValue == 78)
            default: #expect(kind.exitStatus.rawValue == 69, "\(kind)")
            }
        }
    }

    @Test func `a person is needed, or the clock, or nothing will help`() {
        #expect(classes(where: \.needsPerson) == [.unauthorized, .certificate])
        #expect(classes(where: \.dependsOnClock) == [.certificate])
        #expect(classes(where: \.isFinal) == [.usage, .configuration])
    }

    @Test func `an answer stays the same for a while`() {
        #expect(
            classes(where: \.isAnswer) == [
                .unknownHost, .certificate, .unauthorized, .forbidden, .notFound, .gone, .redirects, .forbiddenAddress,
                .notAudio, .file, .unsupported, .usage,
            ])
    }

    @Test func `where the way to a server failed, the server refused nothing`() {
        #expect(classes { !$0.isRefusal } == [.timeout, .unknownHost, .unreachable, .internal])
    }
}
