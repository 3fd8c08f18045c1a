// SPDX-License-Identifier: MIT

package import Configuration

/// A report about hooks. A value. Hooks are numbered from 0 in the order that ``HookRunner/settings`` had at the time
/// of the event.
package enum HookNotice: Hashable, Sendable {
    /// A hook has failed for an event, for this reason, which is fit for display and holds no address.
    case failed(hook: Int, HookSettings.Event, why: String)
    /// What a hook's program has printed, in one line without control characters.
    case output(hook: Int, text: String)
    /// This many events were dropped since the last such notice, because too many were waiting.
    case dropped(Int)
}
