// SPDX-License-Identifier: MIT

/// The members of a JSON object in the order in which they are written.
package struct JSONObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member]

    package init() {
        members = []
    }

    /// Members that are known to have different names: what the parser has checked.
    init(distinct members: [Member]) {
        self.members = members
    }

    /// The first member of that name. Setting replaces it where it stands, else appends; setting nil removes it.
    package subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Adds a member at the end without looking for an equal name; the caller sees to it that there is none.
    package mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }
}
