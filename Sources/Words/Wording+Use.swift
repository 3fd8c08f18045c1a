// SPDX-License-Identifier: MIT

package import Engine
package import RadioCore

// What uses of a programme say.
extension Wording {
    package static func line(_ notice: UseNotice, setting name: SettingName = { _ in nil }) -> String? {
        switch notice {
        case .recorder(let notice): line(notice, setting: name)
        case .wanted(let isWanted):
            isWanted ? "somebody wants to listen" : "nobody listens any more: disconnecting"
        case .fallback(let notice): line(notice, setting: name)
        case .player(let event): line(event, setting: name)
        case .queue(let notice): line(notice, setting: name)
        // Of connections the reader says it as of those of a programme.
        case .programme: nil
        case .failed(let failure): "\(failure.naming(name)); Aircheck tries again when somebody wants to listen"
        }
    }

    /// Of lines that come too often for each to be said.
    package static func line(leftOut count: Int) -> String { "and \(count) more like that" }
}
