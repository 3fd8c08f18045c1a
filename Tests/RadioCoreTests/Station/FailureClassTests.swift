// SPDX-License-Identifier: MIT

import RadioCore
import Testing

struct FailureClassTests {
    private func classes(where holds: (Failure.Class) -> Bool) -> Set<Failure.Class> {
        Set(Failure.Class.allCases.filter(holds))
    }

    @Test("Every class of failure has an exit status") func exitStatus() {
        #expect(ExitStatus.done.rawValue == 0)
        for kind in Failure.Class.allCases {
            switch kind {
            case .usage: #expect(kind.exitStatus.rawValue == 64)
            case .storage: #expect(kind.exitStatus.rawValue == 74)
            case .configuration: #expect(kind.exitStatus.rawValue == 78)
            case .listening: #expect(kind.exitStatus.rawValue == 75)
            default: #expect(kind.exitStatus.rawValue == 69, "\(kind)")
            }
        }
    }

    @Test("Only some classes of failure need a person, depend on the clock or are final") func remedies() {
        #expect(classes(where: \.needsPerson) == [.unauthorized, .certificate, .redirects])
        #expect(classes(where: \.dependsOnClock) == [.certificate])
        #expect(classes(where: \.isFinal) == [.usage, .configuration])
    }

    @Test("Some classes of failure are answers that stay the same for a while") func answers() {
        #expect(
            classes(where: \.isAnswer) == [
                .unknownHost, .certificate, .unauthorized, .forbidden, .notFound, .gone, .redirects, .forbiddenAddress,
                .notAudio, .file, .otherStation, .unsupported, .usage,
            ])
    }

    @Test("A failure on the way to a server is no refusal by the server") func refusals() {
        #expect(classes { !$0.isRefusal } == [.timeout, .unknownHost, .unreachable, .internal])
    }
}
