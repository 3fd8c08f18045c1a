// SPDX-License-Identifier: MIT

import RadioCore

/// An error whose description never quotes text that may be a password.
package protocol SafelyWorded: Error, CustomStringConvertible {}

/// A parser's error, reworded to fit the configuration file.
struct FaultWords {
    let problem: String
    let remedy: String?
    /// Whether the problem is worded so generally that an example of a value helps.
    let isGeneral: Bool

    /// Errors of parsers may quote any part of the text, so they are withheld if the text may contain a password.
    init(_ error: any Error, of text: String) {
        let fault = error as? SettingFault
        // The parser redacts addresses, and its errors never quote a proxy's address. The text of `users` is the path
        // of an existing file, which is not a secret.
        let isSafe = error is any SafelyWorded || [.url, .users, .proxy].contains(fault?.field)
        guard isSafe || !SafeText.mayHoldSecret(text) else {
            self.init(problem: "this value cannot be used here", remedy: nil, isGeneral: true)
            return
        }
        let lines = (fault?.problem.words(Self.key) ?? "\(error)").split(whereSeparator: \.isNewline)
        let words = lines.map { String($0.drop { $0 == " " }) }.joined(separator: " ")
        self.init(
            problem: SafeText.plain(words, limit: Self.longest), remedy: fault?.remedy?.words(Self.key),
            isGeneral: false)
    }

    private init(problem: String, remedy: String?, isGeneral: Bool) {
        self.problem = problem
        self.remedy = remedy
        self.isGeneral = isGeneral
    }

    private static let longest = 500

    /// The key of a setting in the file.
    static func key(_ field: SettingField) -> String {
        switch field {
        case .name: FilesKey.template.name
        case .alias: StationKey.name.name
        case .header: StationKey.headers.name
        case .mount: StationKey.id.name
        case .source: StationKey.url.name
        case .trustedProxy: ServerKey.trustedProxies.name
        default: String(field.rawValue.map { $0 == "_" ? "-" : $0 })
        }
    }
}
