// SPDX-License-Identifier: MIT

package import Engine
package import RadioCore

// Messages about uses of a programme.
extension Wording {
    package static func line(_ notice: UseNotice, setting name: SettingName = { _ in nil }) -> String? {
        switch notice {
        case .recorder(let notice): line(notice, setting: name)
        case .exec(let notice): line(notice)
        case .wanted(let isWanted):
            isWanted ? "somebody wants to listen" : "nobody listens any more: disconnecting"
        case .fallback(let notice): line(notice, setting: name)
        case .player(let event): line(event, setting: name)
        case .queue(let notice): line(notice, setting: name)
        // Callers report this as a notice of the programme.
        case .programme: nil
        case .failed(let failure): "\(failure.naming(name)); Aircheck tries again when somebody wants to listen"
        }
    }

    /// The line that replaces lines suppressed because they came too often.
    package static func line(leftOut count: Int) -> String { "and \(count) more messages like that" }
}
