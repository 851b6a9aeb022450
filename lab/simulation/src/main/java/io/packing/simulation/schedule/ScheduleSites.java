// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

/** The sites of production as the thread that has the turn reaches them. */
public final class ScheduleSites {
    private final Schedule schedule;
    private final FaultSites sites;

    ScheduleSites(Schedule schedule, FaultSites sites) {
        this.schedule = schedule;
        this.sites = sites;
    }

    /** Notes that the caller comes to a site; it stands there for ever if its machine is to end at such a site. */
    void reach(int number) {
        SimulatedThread me = schedule.me();
        if (me.initializers > 0) {
            return;
        }
        me.site = number;
        int group = sites.reached(number);
        if (me.machine().standsAt(group)) {
            sites.hitCaller();
            while (true) {
                schedule.waitTurn("at a site", -1);
            }
        }
    }

    /** Returns the site whose call is at a port now, which is the last one of the caller; a port that is asked by no site has none. */
    public int take() {
        SimulatedThread me = schedule.me();
        int site = me.site;
        me.site = FaultSites.NONE;
        return site != FaultSites.NONE && sites.sends(site) ? site : FaultSites.NONE;
    }

    /** Notes that a fault meets the call of a port that the caller makes. */
    public void hitCaller() {
        sites.hitCaller();
    }

    /** Notes that a fault met a site. */
    public void hit(int site) {
        sites.hit(site);
    }
}
