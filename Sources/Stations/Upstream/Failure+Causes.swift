// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore
import RadioFormats

extension Failure {
    /// The failure for a response that is not audio.
    init(_ guess: ContentGuess, at url: String) {
        let browser = "open it in a browser to see what it is, and look there for the address of the stream itself"
        switch guess {
        case .html:
            self.init(.notAudio, "\(url) is a web page, not audio", remedy: browser)
        case .json, .xml, .text:
            self.init(.notAudio, "\(url) is text, not audio", remedy: browser)
        case .hls:
            self.init(
                .unsupported, "the HLS list at \(url) is too long",
                remedy: "look for another address of the station")
        case .unsupported(let name) where guess.isFeed:
            self.init(
                .unsupported, "\(url) is \(name), not a station",
                remedy: "play it ('aircheck play'), or give the address of one of its episodes")
        case .unsupported(let name):
            self.init(
                .unsupported, "\(url) is \(name), which Aircheck does not support",
                remedy: "look for an address of the station that sends MP3, AAC or Ogg")
        case .audio, .wrapped, .playlist, .unknown, .undecided:
            self.init(.notAudio, "\(url) sent something that Aircheck does not recognise as audio", remedy: browser)
        }
    }
}

extension Failure {
    /// The failure for an unusable playlist.
    init(_ problem: Playlist.Problem, at url: String) {
        switch problem {
        case .tooLong:
            self.init(
                .notAudio, "the playlist at \(url) is larger than 64 KiB", remedy: "give the address of one station")
        case .isHLS:
            self.init(ContentGuess.hls, at: url)
        case .noEntries:
            self.init(
                .notAudio, "the playlist at \(url) contains no address of a station",
                remedy: "open it in an editor and look for the address of the stream itself")
        case .noWebAddress(let scheme):
            self.init(
                .unsupported, "the playlist at \(url) has only \(scheme): addresses, which Aircheck cannot fetch",
                remedy: "look for another address of the station that begins with http:// or https://")
        }
    }
}

extension Failure {
    /// The failure for an entry of a list that is not the station named `playing`. `name`: what its server calls its
    /// station.
    static func otherStation(_ url: String, _ name: String?, _ playing: String?) -> Failure {
        let what = name.map { "another station (\($0))" } ?? "not known to be the same station"
        return Failure(
            .otherStation,
            "\(AddressText(url).redacted) is \(what), so it does not stand in for \(playing ?? "it")",
            remedy: "Aircheck waits for the station; any entry of the list is taken if you allow that",
            setting: .anyEntry)
    }

    /// The failure for playlists that lead only to playlists.
    static func playlistsWithoutEnd(at url: String) -> Failure {
        Failure(
            .notAudio, "playlists at \(url) lead to further playlists without end",
            remedy: "open them in an editor and give the address of the station itself")
    }
}

extension Failure {
    /// The failure, with its remedy, for a failed transfer.
    init(_ error: TransferError) {
        let (failureClass, remedy) = error.isOfProxy ? Self.proxyAdvice(error.code) : Self.advice(error.code)
        let setting: SettingField? =
            error.isOfProxy ? .proxy : error.code == .certificateUntrusted ? .caFile : nil
        self.init(failureClass, error.message, remedy: remedy, setting: setting)
    }

    /// What to do about a proxy. The name of a setting is appended to each remedy (``Failure/naming(_:)``).
    private static func proxyAdvice(_ code: TransferError.Code) -> (Class, String) {
        switch code {
        case .proxyLogin: (.unauthorized, "check the user name and password in the proxy's address")
        case .proxyRefusal: (.http, "see what the proxy allows, or name another proxy")
        default: (advice(code).0, "check the proxy's address and port")
        }
    }

    private static func advice(_ code: TransferError.Code) -> (Class, String) {
        switch code {
        case .badURL: (.usage, "check the address for typing mistakes")
        case .badHeader: (.usage, "remove line ends and control characters from the header")
        case .badCAFile: (.usage, "check the path of the certificate file")
        case .unknownHost: (.unknownHost, "check the spelling of the address, and whether this machine is online")
        case .refused: (.refused, "check the address and the port; the server may be down")
        case .unreachable: (.unreachable, "check whether this machine is online")
        case .connectTimeout, .headTimeout: (.timeout, "the server may be down or overloaded; try again later")
        case .dropped, .truncated: (.dropped, "if this goes on, try another player, or another address of the station")
        case .speaksTLS: (.tls, "begin the address with https:// instead of http://")
        case .tlsHandshake: (.tls, "try the address with http:// instead of https://")
        case .certificateExpired: (.certificate, "ask the station to renew its certificate; Aircheck tries again")
        case .certificateNotYetValid: (.certificate, "check the date and time of this machine")
        case .certificateWrongHost: (.certificate, "check the host name in the address")
        case .certificateUntrusted:
            (.certificate, "if you trust the station, save its certificate and name the file")
        case .tooManyRedirects, .schemeNotAllowed: (.redirects, "look for the station's current address")
        case .addressForbidden: (.forbiddenAddress, "use the address of the stream itself")
        case .compressed: (.compressed, "tell the station, or look for another of its addresses")
        case .resources: (.internal, "raise the limit of open files (ulimit -n), or stop other programs")
        default: (.protocol, "the server does not speak HTTP properly; try another address of the station")
        }
    }
}

extension Failure {
    /// The failure for a list that has only files, up to the one at this address.
    static func onlyFiles(at url: String) -> Failure {
        Failure(
            .file, "the list has no live station: \(url) and the entries before it are files that are over",
            remedy: "look for the address of the live stream; to record a file, give its own address")
    }

    /// The failure for a station in HLS while another connection plays.
    static func waitingHLS(at url: String) -> Failure {
        Failure(
            .unsupported, "\(url) is a station in HLS, which gets its turn when no other address plays",
            remedy: "nothing to do")
    }

    /// The failure if a server does not send the rest of an interrupted file.
    static func noFile(at url: String) -> Failure {
        Failure(
            .protocol, "the server did not send the rest of the file \(url)",
            remedy: "nothing to do: Aircheck now treats the address as a station")
    }

    /// The failure if a response ends properly, but before the end of the file.
    static func cutFile(at url: String) -> Failure {
        Failure(
            .dropped, "the server did not send all of the file \(url)",
            remedy: "nothing to do: Aircheck requests the rest")
    }

    /// The failure if metadata was in place, and then got out of step.
    static func titlesSlipped(at url: String) -> Failure {
        Failure(
            .protocol, "the titles of \(url) came out of step with the audio",
            remedy: "nothing to do: Aircheck reconnects, and requests no titles if this happens again")
    }

    /// The failure if metadata was never in place.
    static func titlesMisread(at url: String) -> Failure {
        Failure(
            .protocol, "the titles of \(url) are not where the server says",
            remedy: "nothing to do: Aircheck reconnects and continues without titles")
    }
}
