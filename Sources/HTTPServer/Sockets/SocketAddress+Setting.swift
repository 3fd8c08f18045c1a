// SPDX-License-Identifier: MIT

package import RadioCore

extension SocketAddress {
    /// Reads an address to listen on.
    package init(parsing text: String) throws(SettingFault) {
        guard let address = SocketAddress(text) else {
            throw SettingFault(
                .listen, "'\(text)' is not an address with a port, such as 127.0.0.1:8000 or [::1]:8000")
        }
        self = address
    }
}
