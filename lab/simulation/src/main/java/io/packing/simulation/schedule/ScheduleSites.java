// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.BitSet;
import java.util.stream.Stream;

/** The sites of production as the thread that has the turn reaches them, and the aims of this schedule's faults. */
public final class ScheduleSites {
    /** The golden ratio: with it, schedules of seeds in a row aim at all sites alike. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    /** More aims than a schedule has. */
    private static final int AIMS_OF_SEED = 64;
    /** All parts of a share. */
    private static final int WHOLE_SHARE = 1 << 16;

    private final Schedule schedule;
    private final FaultSites sites;
    private final long seed;
    private final BitSet aimed = new BitSet();
    /** The share of the rare sites at which this schedule aims. */
    private double share;
    /** The sites at which a thread stood. */
    private final BitSet met = new BitSet();

    private int aims;
    private int rareAims;
    private boolean resting;

    ScheduleSites(Schedule schedule, FaultSites sites, long seed) {
        this.schedule = schedule;
        this.sites = sites;
        this.seed = seed;
        sites.begin();
    }

    /**
     * Lets the next thread that comes to one more site stand still there, for its machine to end. The seed says which site.
     *
     * @param rare true for a site that few schedules reach
     */
    public void aim(boolean rare) {
        if (rare) {
            aim(sites.rare(), rareAims++);
        } else {
            aim(sites.often(), aims++);
        }
    }

    private void aim(int[] from, int number) {
        if (from.length > 0) {
            aimed.set(from[place(seed, number, from.length)]);
        }
    }

    /** Returns the place, among so many sites, of an aim of a seed. */
    static int place(long seed, int number, int of) {
        long spread = ((seed * AIMS_OF_SEED + number) * SPREAD) >>> Integer.SIZE;
        return (int) ((spread * of) >>> Integer.SIZE);
    }

    /**
     * Lets threads stand still at a share of the rare sites, once at each. The seed and the name of a site say if it is one of them. A list of
     * sites would not do: some classes are linked when a later schedule first needs them, which is no part of a seed.
     *
     * @param of the sites that none of the first schedules reached, from 0 to 1. Those that some reached get a part of it
     */
    public void aimAtShare(double of) {
        share = of;
    }

    private boolean isInShare(int number) {
        double part = share * sites.part(number);
        // A site that none of the first schedules reached does not rest: few threads come to it, and they come once.
        boolean rests = resting && sites.part(number) < 1;
        return part > 0
                && !rests
                && !met.get(number)
                && place(seed + sites.name(number), 0, WHOLE_SHARE) < part * WHOLE_SHARE;
    }

    /** Lets no thread stand still at a site for a while, or again, but for those that none of the first schedules reached. */
    public void rest(boolean rests) {
        resting = rests;
    }

    /** Ends all aims, but for the share. */
    public void aimNoMore() {
        aimed.clear();
    }

    /** Ends the aims at a share of the sites. */
    public void aimAtShareNoMore() {
        share = 0;
    }

    /** Notes that the caller comes to a site; it stands there for ever if a fault aims at the site. */
    void reach(int number) {
        SimulatedThread me = schedule.me();
        if (me.initializers > 0) {
            return;
        }
        schedule.point();
        me.site = number;
        sites.reached(number);
        if (!me.machine().endsAtSites()) {
            return;
        }
        boolean isAimed = !resting && aimed.get(number);
        if (isAimed || isInShare(number)) {
            aimed.clear(number);
            met.set(number);
            me.machine().stand(!isAimed);
            sites.hitCaller(number);
            schedule.conditions().changed();
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
        sites.hitCaller(FaultSites.NONE);
    }

    /** Notes that a fault met a site. */
    public void hit(int site) {
        sites.hit(site);
    }

    /** Notes that threads end where they are. */
    void ended(Stream<SimulatedThread> threads) {
        if (sites.areStacksWatched()) {
            threads.forEach(thread -> sites.hit(thread.getStackTrace()));
        }
    }
}
