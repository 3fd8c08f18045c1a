// SPDX-License-Identifier: MIT

/// The object's introspection data, for tools such as `busctl introspect`.
enum MPRISIntrospection {
    static let text = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
        \(interface(MPRISNames.introspectable, [method("Introspect", [("xml_data", "s", "out")])]))
        \(interface(MPRISNames.properties, properties))
        \(interface(MPRISNames.root, root))
        \(interface(MPRISNames.player, player))
        </node>

        """

    private static let properties = [
        method("Get", [("interface", "s", "in"), ("name", "s", "in"), ("value", "v", "out")]),
        method("GetAll", [("interface", "s", "in"), ("properties", "a{sv}", "out")]),
        method("Set", [("interface", "s", "in"), ("name", "s", "in"), ("value", "v", "in")]),
        signal("PropertiesChanged", [("interface", "s"), ("changed", "a{sv}"), ("invalidated", "as")]),
    ]

    private static let root =
        [method("Raise", []), method("Quit", [])]
        + MPRISProperties.root.map { property($0.name, $0.value.type, "read") }

    private static let player =
        ["Next", "Previous", "Pause", "PlayPause", "Stop", "Play"].map { method($0, []) } + [
            method("Seek", [("Offset", "x", "in")]),
            method("SetPosition", [("TrackId", "o", "in"), ("Position", "x", "in")]),
            method("OpenUri", [("Uri", "s", "in")]),
            signal("Seeked", [("Position", "x")]),
        ] + playerProperties.map { property($0.name, $0.value.type, written.contains($0.name) ? "readwrite" : "read") }

    /// The properties of a player with a queue. They include all properties of a player with a station.
    private static var playerProperties: [BusEntry] {
        var state = MPRISState()
        state.queue = MPRISState.Queue()
        return MPRISProperties.player(state, track: 0) + [BusEntry("Position", .integer(0))]
    }

    private static let written: Set<String> = ["Volume", "Rate", "LoopStatus", "Shuffle"]

    private static func interface(_ name: String, _ members: [String]) -> String {
        "<interface name=\"\(name)\">\(members.joined())</interface>"
    }

    private static func method(_ name: String, _ arguments: [(name: String, type: String, way: String)]) -> String {
        let list = arguments.map { "<arg name=\"\($0.name)\" type=\"\($0.type)\" direction=\"\($0.way)\"/>" }
        return "<method name=\"\(name)\">\(list.joined())</method>"
    }

    private static func signal(_ name: String, _ arguments: [(name: String, type: String)]) -> String {
        let list = arguments.map { "<arg name=\"\($0.name)\" type=\"\($0.type)\"/>" }
        return "<signal name=\"\(name)\">\(list.joined())</signal>"
    }

    /// `Position` is annotated as sending no change signal: clients extrapolate it.
    private static func property(_ name: String, _ type: String, _ access: String) -> String {
        let head = "<property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\""
        guard name == "Position" else { return head + "/>" }
        let silence = "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"false\"/>"
        return "\(head)>\(silence)</property>"
    }
}
