// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore
import RadioFormats

/// How the lists, segments and keys of a station are requested.
struct HLSContext {
    let run: StationRun
    /// Further fields of each request; not secret.
    var fields: [(name: String, value: String)] = []

    /// A request for an address that a list names, or that is configured.
    func request(for url: String, allowsPrivateAddress: Bool) -> TransferRequest {
        let mirrors = run.addresses.mirrors
        let options = mirrors.index(of: url).map { mirrors[$0].options } ?? mirrors[0].options
        var request = run.settings.request(for: url, options, sendsHeaders: mirrors.isConfigured(originOf: url))
        request.openHeaders += fields
        request.cookies = run.addresses.memory.cookies
        request.allowsPrivateAddress =
            mirrors.index(of: url).map { mirrors[$0].allowsPrivateAddress } ?? allowsPrivateAddress
        request.keepsConnection = true
        return request
    }
}

extension Failure {
    /// The failure for a segment that may have been cut, because its server does not state its length.
    static func cutSegment(at url: String) -> Failure {
        Failure(
            .dropped, "\(AddressText(url).redacted) may have been cut: its server does not state its length",
            remedy: "nothing to do: Aircheck asks for it again")
    }

    /// The failure for a list without the variant that was chosen before.
    static func withoutVariant(at name: String) -> Failure {
        Failure(
            .notAudio, "the HLS list at \(name) does not have the variant any more",
            remedy: "nothing to do: Aircheck asks again, and takes another variant in the end")
    }

    /// The failure for an answer that is none.
    init(_ problem: Fetch.Problem, at url: String) {
        let name = AddressText(url).redacted
        switch problem {
        case .failed(let error): self.init(error)
        case .timeout:
            self.init(.timeout, "\(name) took too long", remedy: "the server may be overloaded; Aircheck tries again")
        case .tooLong:
            self.init(.protocol, "\(name) is too long", remedy: "look for another address of the station")
        }
    }

    /// The failure for a list of HLS that cannot be followed.
    init(_ problem: HLSProblem, at name: String) {
        let other = "look for another address of the station"
        switch problem {
        case .tooLong: self.init(.notAudio, "the HLS list at \(name) is too long", remedy: other)
        case .noHLS: self.init(.notAudio, "the HLS list at \(name) has no segments", remedy: other)
        case .noVariants: self.init(.notAudio, "the HLS list at \(name) has no variants", remedy: other)
        case .malformed(let tag):
            self.init(.protocol, "the HLS list at \(name) is broken: \(tag)", remedy: other)
        case .longAddress:
            self.init(.protocol, "the HLS list at \(name) has an address that is too long", remedy: other)
        case .noWebAddress(let scheme):
            let what = scheme.map { "\($0): addresses" } ?? "addresses that lead nowhere"
            self.init(.unsupported, "the HLS list at \(name) has \(what), which Aircheck cannot fetch", remedy: other)
        case .undefinedVariable(let variable):
            self.init(
                .protocol, "the HLS list at \(name) uses the variable \(variable), which it does not define",
                remedy: other)
        }
    }

    /// The failure for segments that cannot be read.
    init(unreadable problem: DemuxProblem, at name: String) {
        let other = "look for an address of the station that sends AAC or MP3"
        switch problem {
        case .unsupported(let kind):
            self.init(.unsupported, "\(name) has \(kind), which Aircheck does not support", remedy: other)
        case .encrypted(let scheme):
            self.init(.unsupported, "\(name) is encrypted (\(scheme)), which Aircheck does not support", remedy: other)
        case .noAudio:
            self.init(.notAudio, "the segments of \(name) have no audio", remedy: other)
        case .indexBehindAudio:
            self.init(.unsupported, "\(name) is a file whose index comes last, not a segment", remedy: other)
        case .malformed(let what):
            self.init(.notAudio, "the segments of \(name) cannot be read: \(what)", remedy: other)
        }
    }
}
