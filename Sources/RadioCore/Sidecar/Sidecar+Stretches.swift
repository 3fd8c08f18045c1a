// SPDX-License-Identifier: MIT

package import RadioFormats

extension Sidecar {
    /// The stretches of a file or a recording, by their kinds. Each list is in the order in which its stretches were
    /// noticed.
    package struct Stretches: Hashable, Sendable {
        private var lists: [RadioCore.Stretch.Kind: [Stretch]] = [:]

        package init() {}

        package subscript(kind: RadioCore.Stretch.Kind) -> [Stretch] {
            get { lists[kind] ?? [] }
            set { lists[kind] = newValue.isEmpty ? nil : newValue }
        }

        /// The stretches for which `transform` returns a value, as these values.
        package func compactMap(_ transform: (Stretch) -> Stretch?) -> Stretches {
            var stretches = Stretches()
            for (kind, list) in lists { stretches[kind] = list.compactMap(transform) }
            return stretches
        }
    }

    /// Audio that is not part of the programme, such as an advert at connect.
    package var foreign: [Stretch] {
        get { stretches[.foreign] }
        set { stretches[.foreign] = newValue }
    }

    /// Audio that the recording holds twice; this is the second copy.
    package var repeated: [Stretch] {
        get { stretches[.repeated] }
        set { stretches[.repeated] = newValue }
    }
}

// MARK: - JSON

extension Sidecar.Stretches {
    /// Adds a member for each kind. Readers rely on `foreign` and `repeated`; other kinds have a member only if they
    /// occur.
    package func append(to object: inout JSONObject) {
        for kind in Stretch.Kind.allCases where kind.isAlwaysListed || !self[kind].isEmpty {
            object.append(kind.rawValue, self[kind])
        }
    }

    init(json: JSONValue) {
        for kind in Stretch.Kind.allCases {
            self[kind] = json[kind.rawValue]?.arrayValue?.compactMap(Sidecar.Stretch.init(json:)) ?? []
        }
    }
}

extension Stretch.Kind {
    fileprivate var isAlwaysListed: Bool { self == .foreign || self == .repeated }
}
