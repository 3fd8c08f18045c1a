// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import Testing
import WallClock

/// The local zone is process-wide, so each test that needs another one runs in its own process.
@Suite struct LocalZoneTests {
    @Test("The wall clock has the time of the system") func machineClock() {
        let before = time(nil)
        let now = WallClock.now()
        let after = time(nil)
        #expect((Int64(before)...Int64(after)).contains(now.nanoseconds / 1_000_000_000))
    }

    @Test("A zone has its name and its legal offsets") func offsets() async {
        await #expect(processExitsWith: .success) {
            let zone = Self.zone("Australia/Lord_Howe")
            #expect(zone.identifier == "Australia/Lord_Howe")
            #expect(Self.offset(zone, "2026-04-04T14:59:59.999999999Z") == 39_600)
            #expect(Self.offset(zone, "2026-04-04T15:00:00Z") == 37_800)
            #expect(Self.offset(zone, "1900-01-01T00:00:00Z") == 36_000)
        }
    }

    @Test("An instant before 1970 is rounded down to its second") func before1970() async {
        await #expect(processExitsWith: .success) {
            let zone = Self.zone(":Europe/Berlin")
            #expect(zone.identifier == "Europe/Berlin")
            // The war-time change of 1940-04-01 at 01:00 UTC.
            #expect(Self.offset(zone, "1940-04-01T00:59:59.999999999Z") == 3600)
            #expect(Self.offset(zone, "1940-04-01T01:00:00Z") == 7200)
            #expect(Self.offset(zone, "1890-01-01T00:00:00Z") == 3208)
        }
    }

    @Test("An empty or unknown zone is UTC") func unknownZone() async {
        await #expect(processExitsWith: .success) {
            let zone = Self.zone("")
            #expect(zone.identifier == "UTC")
            #expect(Self.offset(zone, "2026-07-01T00:00:00Z") == 0)
        }
    }

    @Test("Periods obey the rules at every change of real zones from 1990 to 2040") func periods() async {
        await #expect(processExitsWith: .success) { Self.checkChanges(of: "Europe/Berlin") }
        await #expect(processExitsWith: .success) { Self.checkChanges(of: "Australia/Lord_Howe") }
        await #expect(processExitsWith: .success) { Self.checkChanges(of: "America/Sao_Paulo") }
        await #expect(processExitsWith: .success) { Self.checkChanges(of: "Africa/Casablanca") }
        await #expect(processExitsWith: .success) { Self.checkChanges(of: "Pacific/Apia") }
    }

    private static func zone(_ name: String) -> LocalZone {
        setenv("TZ", name, 1)
        return LocalZone()
    }

    private static func offset(_ zone: LocalZone, _ text: String) -> Int? {
        CivilTime(rfc3339: text).map { zone.utcOffset(at: $0.instant) }
    }

    /// Checks the boundaries around each change against the clocks before and after it.
    private static func checkChanges(of name: String) {
        let zone = zone(name)
        var changes = 0
        // The zone is examined hour by hour from 1990 on, so a change within an hour is seen at the end of that hour.
        var instant = WallInstant(nanoseconds: 631_152_000_000_000_000)
        let end = WallInstant(nanoseconds: 2_208_988_800_000_000_000)
        var before = zone.utcOffset(at: instant)
        while instant < end {
            let next = instant + .seconds(3600)
            let after = zone.utcOffset(at: next)
            if after != before {
                changes += 1
                for period in [300, 1800, 3600, 7200, 86_400] {
                    checkBoundaries(zone, around: next, .seconds(period))
                }
            }
            (instant, before) = (next, after)
        }
        #expect(changes >= 2, "\(name) is known to this machine")
    }

    private static func checkBoundaries(_ zone: LocalZone, around change: WallInstant, _ period: Duration) {
        var instant = change - period - .seconds(7200)
        while instant < change + .seconds(7200) {
            let next = PeriodAlignment.nextBoundary(after: instant, period: period, zone: zone)
            #expect(next > instant)
            guard next > instant else { return }
            #expect(next - instant <= period + .seconds(7200) || zone.identifier == "Pacific/Apia")
            // At a boundary the clock shows a multiple of the period, or it has just skipped one.
            let local = secondOfDay(next, zone)
            let skip = zone.utcOffset(at: next) - zone.utcOffset(at: next - .seconds(1))
            let beyond = local % Int(period.components.seconds)
            #expect(beyond == 0 || (skip > 0 && beyond <= skip), "\(CivilTime(next, in: zone).rfc3339)")
            instant = next
        }
    }

    private static func secondOfDay(_ instant: WallInstant, _ zone: LocalZone) -> Int {
        let time = CivilTime(instant, in: zone)
        return time.hour * 3600 + time.minute * 60 + time.second
    }
}
