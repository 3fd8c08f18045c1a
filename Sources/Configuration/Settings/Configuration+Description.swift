// SPDX-License-Identifier: MIT

import RadioFormats
import Stations

// Descriptions for logs and debuggers. They withhold anything that may be a password: addresses are redacted, and only
// the names of request fields appear.

extension Configuration: CustomReflectable, CustomStringConvertible {
    package var description: String {
        "\(stations.count) stations, \(stations.reduce(0) { $0 + $1.shows.count }) shows, \(hooks.count) hooks"
    }

    package var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "server": server, "storage": storage, "stations": stations, "hooks": hooks,
                "player": player as Any, "log": log,
            ])
    }
}

extension StationConfiguration: CustomReflectable, CustomStringConvertible {
    package var description: String {
        "station \(id) at \(source.urls.map { AddressText($0).redacted }.joined(separator: ", "))"
    }

    package var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "name": name as Any, "urls": source.urls.map { AddressText($0).redacted },
                "headers": source.headers.map(\.name), "record": record, "files": files, "relay": relay as Any,
                "shows": shows,
            ])
    }
}

extension StationConfiguration.Relaying: CustomReflectable, CustomStringConvertible {
    package var description: String {
        "relay\(isOnDemand ? " on demand" : "")\(fallback.map { ", or \(AddressText($0).redacted)" } ?? "")"
    }

    package var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "isOnDemand": isOnDemand, "burst": burst, "rewind": rewind, "longestOutage": longestOutage,
                "hasFiller": hasFiller, "fallback": fallback.map { AddressText($0).redacted } as Any,
                "mostListeners": mostListeners as Any,
            ])
    }
}

extension HookSettings: CustomReflectable, CustomStringConvertible {
    package var description: String { "\(action)\(token == nil ? "" : ", with a token")" }

    package var customMirror: Mirror {
        Mirror(
            self,
            children: ["events": events, "action": action, "hasToken": token != nil, "deadline": deadline])
    }
}

extension HookSettings.Action: CustomReflectable, CustomStringConvertible {
    /// Leaves out arguments and the paths of addresses, because they may be passwords.
    package var description: String {
        switch self {
        case .command(let words): "run \(words.first ?? "")"
        case .post(let url): "post to \(Self.server(of: url))"
        case .mail(let to): "mail to \(to)"
        case .ntfy(let url): "ntfy to \(Self.server(of: url))"
        }
    }

    package var customMirror: Mirror { Mirror(self, children: ["action": description]) }

    private static func server(of url: String) -> String {
        URLReference(url).authority?.split(separator: "@").last.map(String.init) ?? ""
    }
}
