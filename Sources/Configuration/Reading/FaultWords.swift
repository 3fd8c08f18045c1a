// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// The words of a parser's error in terms of the configuration file.
struct FaultWords {
    let problem: String
    let remedy: String?
    /// Whether the words say so little that an example helps.
    let isGeneral: Bool

    /// Errors of parsers may quote any part of the text, which is withheld if the text may hold a password. The parsers
    /// of addresses do so themselves.
    init(_ error: any Error, of text: String) {
        let fault = error as? SettingFault
        guard fault?.field == .url || !SafeText.mayHoldSecret(text) else {
            self.init(problem: "this cannot be used here", remedy: nil, isGeneral: true)
            return
        }
        let words = fault?.problem.words(Self.key) ?? "\(error)"
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
