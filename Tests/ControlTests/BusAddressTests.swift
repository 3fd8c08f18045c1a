// SPDX-License-Identifier: MIT

import Control
import Testing

struct BusAddressTests {
    @Test(
        "The address of the session bus is found, or there is none",
        arguments: [
            ([:], nil),
            (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/a"], "unix:path=/run/a"),
            (["DBUS_SESSION_BUS_ADDRESS": "tcp:host=example.org,port=1;unix:abstract=b"], "unix:abstract=b"),
            (["DBUS_SESSION_BUS_ADDRESS": "unixexec:path=/bin/sh"], nil),
            (["DBUS_SESSION_BUS_ADDRESS": "autolaunch:", "XDG_RUNTIME_DIR": "/run/user/1"], nil),
            (["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/run/user/1"], "unix:path=/run/user/1/bus"),
            (["XDG_RUNTIME_DIR": "/run/a b;é"], "unix:path=/run/a%20b%3b%c3%a9/bus"),
            (["XDG_RUNTIME_DIR": "/nothing"], nil),
            (["XDG_RUNTIME_DIR": "run"], nil),
        ] as [([String: String], String?)])
    func found(environment: [String: String], address: String?) {
        let found = BusAddress.ofSession(environment: { environment[$0] }, isSocket: { !$0.hasPrefix("/nothing") })
        #expect(found == address)
    }
}
