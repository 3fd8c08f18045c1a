// SPDX-License-Identifier: MIT

package import RadioCore

extension IPNetwork {
    /// Parses an address or network in the value of a setting.
    package init(parsing text: String, as field: SettingField) throws(SettingFault) {
        guard let network = IPNetwork(text) else {
            throw SettingFault(
                field, "'\(text)' is neither an address nor a network, such as 192.168.0.0/16 or fd00::/8")
        }
        self = network
    }
}
