// SPDX-License-Identifier: MIT

extension Failure.Class {
    /// Whether only a person can fix the failure (credentials, a bad certificate, redirects that lead nowhere).
    package var needsPerson: Bool { consequences.traits.contains(.needsPerson) }

    /// Whether trying again can never help: the request itself is wrong.
    package var isFinal: Bool { consequences.traits.contains(.final) }

    /// Whether the failure is an answer of the server or the name service, which an immediate retry will not change.
    package var isAnswer: Bool { consequences.traits.contains(.answer) }

    /// Whether a server, or whatever answers at its address, refused before any audio arrived. False if the server
    /// could not be reached.
    package var isRefusal: Bool { !consequences.traits.contains(.onTheWay) }

    /// Whether setting the clock may fix the failure.
    package var dependsOnClock: Bool { consequences.traits.contains(.dependsOnClock) }

    /// The exit status of a command that ends with this failure.
    package var exitStatus: ExitStatus { consequences.exit }

    private struct Traits: OptionSet {
        let rawValue: UInt8

        static let needsPerson = Traits(rawValue: 1)
        static let final = Traits(rawValue: 2)
        static let answer = Traits(rawValue: 4)
        static let onTheWay = Traits(rawValue: 8)
        static let dependsOnClock = Traits(rawValue: 16)
    }

    /// The one table of all classes. Whatever depends on the class of a failure uses a property that reads this table.
    private var consequences: (traits: Traits, exit: ExitStatus) {
        switch self {
        case .usage: ([.final, .answer], .usage)
        case .configuration: (.final, .configuration)
        case .unknownHost: ([.answer, .onTheWay], .unavailable)
        case .unreachable, .timeout, .internal: (.onTheWay, .unavailable)
        case .certificate: ([.needsPerson, .answer, .dependsOnClock], .unavailable)
        case .unauthorized, .redirects: ([.needsPerson, .answer], .unavailable)
        case .forbidden, .notFound, .gone, .forbiddenAddress, .notAudio, .file, .otherStation, .unsupported:
            (.answer, .unavailable)
        case .refused, .dropped, .tls, .serverBusy, .http, .compressed, .noAudio, .protocol, .sound:
            ([], .unavailable)
        case .listening: ([], .tryAgain)
        case .storage: ([], .ioError)
        }
    }
}

extension Failure {
    /// The failure with a remedy for the end of a use, when Aircheck no longer reconnects.
    package var asEnd: Failure {
        guard failureClass == .dropped else { return self }
        return Failure(.dropped, message, remedy: "try again later", setting: setting)
    }
}
