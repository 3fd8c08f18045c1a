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

    /// Whether the address is refused or gone, so that another address of the same thing may help.
    package var isOfAddress: Bool { consequences.traits.contains(.ofAddress) }

    /// Whether what is there cannot be used, however often it is asked for.
    package var isOfContent: Bool { consequences.traits.contains(.ofContent) }

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
        static let ofAddress = Traits(rawValue: 32)
        static let ofContent = Traits(rawValue: 64)
    }

    /// The one table of all classes. Whatever depends on the class of a failure uses a property that reads this table.
    private var consequences: (traits: Traits, exit: ExitStatus) {
        switch self {
        case .usage: ([.final, .answer], .usage)
        case .configuration: (.final, .configuration)
        case .unknownHost: ([.answer, .onTheWay], .unavailable)
        case .unreachable, .timeout, .internal: (.onTheWay, .unavailable)
        case .certificate: ([.needsPerson, .answer, .dependsOnClock], .unavailable)
        case .redirects: ([.needsPerson, .answer], .unavailable)
        case .unauthorized: ([.needsPerson, .answer, .ofAddress], .unavailable)
        case .forbidden, .notFound, .gone: ([.answer, .ofAddress], .unavailable)
        case .unsupported: ([.answer, .ofContent], .unavailable)
        case .forbiddenAddress, .notAudio, .file, .otherStation: (.answer, .unavailable)
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
