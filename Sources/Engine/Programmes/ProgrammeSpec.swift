// SPDX-License-Identifier: MIT

import EventLoop
package import MediaSources
import RadioCore
package import Stations

/// The source of a programme.
package enum ProgrammeSpec: Sendable {
    case station(StationSettings)
    /// Files on this machine, or standard input, delivered this far ahead of real time.
    case media(MediaPlan, ahead: Duration)
    /// The bundled music, served on loopback by our own relay and received like any station.
    case demo(userAgent: String)
    /// No source: the items of a queue have programmes of their own.
    case queue
}

extension ProgrammeSpec {
    func make(_ context: EngineContext, _ choice: ListChoice?) throws(Failure) -> ProgrammeHost.Made {
        switch self {
        case .station(var settings):
            settings.choice = choice ?? settings.choice
            return ProgrammeHost.Made(programme: context.station(settings))
        case .media(let plan, let ahead):
            let info = StationInfo(kind: .live, name: plan.name, url: "")
            return ProgrammeHost.Made(
                programme: Programme(plan, info: info, ahead: ahead, reactor: context.reactor))
        case .demo(let userAgent):
            let demo = try DemoStation(context.reactor)
            let settings = StationSettings(urls: [demo.url], userAgent: userAgent, giveUp: .seconds(10))
            return ProgrammeHost.Made(programme: context.station(settings), close: demo.close)
        case .queue:
            throw Failure(.internal, "a queue is not a programme", remedy: "play it")
        }
    }
}

extension EngineContext {
    fileprivate func station(_ settings: StationSettings) -> Programme {
        Programme(settings: settings, client: client(), reactor: reactor, group: group)
    }
}
