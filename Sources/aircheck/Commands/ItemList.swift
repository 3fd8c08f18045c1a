// SPDX-License-Identifier: MIT

import Engine
import Queue
import RadioCore
import RadioFormats
import Words

/// `aircheck play --list`: prints the items of a folder, playlist or feed with their numbers.
enum ItemList {
    /// Throws the exit status if the items cannot be listed.
    static func show(_ spec: ItemListSpec, asJSON: Bool, _ detail: Detail) throws {
        var console = Console(detail)
        let runner = try EngineRunner()
        defer { runner.close() }
        let id = ProgrammeID("queue")
        runner.begin([.add(id, .queue), .begin(UseID("list"), spec, of: id)], tellsSnapshots: false)
        while true {
            guard case .engine(let event) = runner.next() else { continue }
            switch event {
            case .use(_, .queue(let notice)):
                console.say(Wording.occurrence(.queue(notice), of: .program, in: .terminal))
            case .ended(_, let outcome as ItemListOutcome):
                if asJSON {
                    Console.put(json: json(outcome))
                } else {
                    for line in lines(outcome) { Console.put(line) }
                }
                if let failure = outcome.failure { console.say("error: \(failure.naming(\.option))") }
                return try ExitStatus.check(outcome.failure)
            default: break
            }
        }
    }

    /// A line for each item: its number, title, length, date, and how much of it was heard. `>` marks the item with
    /// which playing begins.
    static func lines(_ outcome: ItemListOutcome) -> [String] {
        let rows = outcome.items.enumerated().map { index, item -> [String] in
            [
                "\(item.isNext ? ">" : " ") \(index + 1)", TitleText.cleaned(PathText.shown(name(item.item))),
                item.item.length.map { Measure.clock($0) } ?? "", date(item.item) ?? "", note(item),
            ]
        }
        return TextTable.lines(rows, width: .max)
    }

    static func json(_ outcome: ItemListOutcome) -> JSONValue {
        var object: JSONObject = [
            "title": outcome.title, "items": outcome.items.enumerated().map { Self.object($1, number: $0 + 1) },
        ]
        object.noteRawBytes(of: outcome.items.map { source($0.item) })
        object.append("error", outcome.failure.map(ReportJSON.error))
        return .object(object)
    }

    private static func object(_ item: ItemListOutcome.Item, number: Int) -> JSONObject {
        [
            "number": number, "source": source(item.item), "title": item.item.title, "seconds": item.item.length,
            "published": date(item.item), "heard": item.isHeard, "position": item.position, "next": item.isNext,
        ]
    }

    private static func name(_ item: QueueItem) -> String { item.title ?? item.name ?? source(item) }

    private static func source(_ item: QueueItem) -> String {
        switch item.location {
        case .address(let address): AddressText(address).redacted
        case .path(let path): path
        }
    }

    /// The day of publication, in UTC.
    private static func date(_ item: QueueItem) -> String? {
        item.published.map { String(CivilTime($0, utcOffset: 0).rfc3339.prefix(10)) }
    }

    private static func note(_ item: ItemListOutcome.Item) -> String {
        item.isHeard ? "heard" : item.position.map { "continues at \(Measure.clock($0))" } ?? ""
    }
}
