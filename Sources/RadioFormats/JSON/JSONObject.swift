// SPDX-License-Identifier: MIT

/// The members of a JSON object, in the order in which they are written.
package struct JSONObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member] = []

    package init() {}

    /// Creates an object from members that are known to have different names.
    package init(distinct members: [Member]) {
        self.members = members
    }

    /// The first member with that name. Setting a value replaces the member in place, or else appends a new one;
    /// setting nil removes the member.
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

    /// Appends a member without looking for an equal name; the caller must make sure that the name is new.
    package mutating func append(_ name: String, _ value: any JSONConvertible) {
        if let value = value.member { members.append(Member(name: name, value: value)) }
    }

    /// Appends members without looking for equal names.
    package mutating func append(_ other: JSONObject) { members += other.members }
}
