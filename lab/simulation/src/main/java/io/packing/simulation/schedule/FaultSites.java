// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The places of production that call a port: a file, a table, a log, the store, the network. The loader numbers them when it links a class.
 * Counts how often each was reached, and how often a fault hit it. Used by one schedule after another.
 */
public final class FaultSites {
    /** The number of a thread that has reached no site. */
    static final int NONE = -1;

    /** The number of groups of sites: a fault waits for any site of one group, so that rare sites meet as many faults as others. */
    public static final int GROUPS = 64;

    /** A kind of site. */
    public enum Kind {
        /** Writes bytes, rows or names. */
        WRITE,
        /** Forces them to the disk. */
        SYNC,
        /** Asks the store, or another process. */
        SEND,
        /** Makes a batch of a table durable. */
        COMMIT
    }

    /**
     * A site.
     *
     * @param place the class and the line of the call
     * @param called the class and the method that it calls
     * @param reached how often a thread came to it
     * @param hit how often a fault met it: its process ended right before the call, or the call failed
     */
    public record Site(Kind kind, String place, String called, long reached, long hit) {
        /** Returns this site as a line of a report. */
        public String line() {
            return "%s %s calls %s: reached %d times, %d faults"
                    .formatted(kind.toString().toLowerCase(Locale.ROOT), place, called, reached, hit);
        }
    }

    private static final class Counted {
        private final Kind kind;
        private final String place;
        private final String called;
        private final int group;
        private long reached;
        private long hit;

        Counted(Kind kind, String place, String called) {
            this.kind = kind;
            this.place = place;
            this.called = called;
            this.group = Math.floorMod((place + called).hashCode(), GROUPS);
        }
    }

    private final List<Counted> sites = new ArrayList<>();
    private boolean watched;
    private final Map<String, List<Counted>> places = new HashMap<>();

    /** Returns the number of a site. Classes are linked when a schedule first needs them, one at a time. */
    public synchronized int add(Kind kind, String place, String called) {
        Counted site = new Counted(kind, place, called);
        sites.add(site);
        places.computeIfAbsent(place, any -> new ArrayList<>()).add(site);
        return sites.size() - 1;
    }

    private synchronized Counted site(int number) {
        return sites.get(number);
    }

    /** Notes that a thread came to a site; returns the site's group. */
    int reached(int number) {
        Counted site = site(number);
        site.reached++;
        return site.group;
    }

    /** Returns true for a site that asks the store or another process. */
    boolean sends(int number) {
        return site(number).kind == Kind.SEND;
    }

    /** Notes that a fault met a site. */
    void hit(int number) {
        if (number != NONE) {
            site(number).hit++;
        }
    }

    /** Notes that a fault meets the caller: its site, and those below which that one is called. */
    synchronized void hitCaller() {
        StackWalker.getInstance()
                .forEach(frame -> places.getOrDefault(frame.getClassName() + ":" + frame.getLineNumber(), List.of())
                        .forEach(site -> site.hit++));
    }

    /** Notes that a thread ends where it is: within the calls of its stack. */
    synchronized void hit(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            places.getOrDefault(frame.getClassName() + ":" + frame.getLineNumber(), List.of())
                    .forEach(site -> site.hit++);
        }
    }

    /** Counts also the sites of ending threads from now on, which takes the stacks of all of them. */
    public void watchEnds() {
        watched = true;
    }

    boolean areEndsWatched() {
        return watched;
    }

    /** Returns all sites of the classes that were linked, in the order of their places. */
    public synchronized List<Site> all() {
        return sites.stream()
                .map(site -> new Site(site.kind, site.place, site.called, site.reached, site.hit))
                .sorted(Comparator.comparing(Site::place).thenComparing(Site::called))
                .toList();
    }
}
