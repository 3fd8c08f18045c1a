// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore
import WallClock
import Words

extension SettingField {
    /// The setting's name on the command line; nil for positional arguments, which have none.
    var option: String? {
        switch self {
        case .url, .source, .user: nil
        case .filler: "--no-filler"
        case .deviceList: "aircheck play --list-devices"
        default: "--" + rawValue.split(separator: "_").joined(separator: "-")
        }
    }
}

extension Occurrence.Context {
    /// For words to somebody who has given options, now.
    static var terminal: Self {
        var context = Self(now: WallClock.now())
        context.setting = \.option
        return context
    }
}

extension ValidationError {
    init(_ fault: SettingFault) {
        let words = fault.words { $0.option ?? $0.rawValue }
        self.init((fault.field.option.map { "\($0): " } ?? "") + words + ".")
    }
}

extension ParsableArguments {
    /// Returns what `read` returns. Turns a `SettingFault` into a `ValidationError`.
    func checked<Value>(_ read: () throws -> Value) throws -> Value {
        do { return try read() } catch let fault as SettingFault { throw ValidationError(fault) }
    }
}
