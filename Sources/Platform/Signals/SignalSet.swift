// SPDX-License-Identifier: MIT

package import Glibc

extension sigset_t {
    /// The set of these signals.
    package init(of signals: some Sequence<CInt>) {
        self.init()
        sigemptyset(&self)
        for number in signals { sigaddset(&self, number) }
    }
}
