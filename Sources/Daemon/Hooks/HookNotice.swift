// SPDX-License-Identifier: MIT

package import Configuration

/// What has become of hooks. A value. Hooks are numbered from 0 in the order of ``HookRunner/settings``, as they were
/// at the time of the event.
package enum HookNotice: Hashable, Sendable {
    /// A hook has failed for an event, for this reason, which is fit for display and holds no address.
    case failed(hook: Int, HookSettings.Event, why: String)
    /// A program has written something: one line, which is fit for display.
    case output(hook: Int, text: String)
    /// This many events were dropped since the last such notice, because too many were waiting.
    case dropped(Int)
}
