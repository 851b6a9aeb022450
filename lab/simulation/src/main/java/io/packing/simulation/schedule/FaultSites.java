// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The places of production that call a port: a file, a table, a log, the store, the network. The loader numbers them when it links a class.
 * Counts how often each was reached, and how often a fault hit it. Used by one schedule after another.
 */
public final class FaultSites {
    /** The number of a thread that has reached no site. */
    static final int NONE = -1;
    /** The part of a site that some of the first schedules reached: a schedule passes several of these. */
    private static final double PART_OF_REACHED = 0.25;

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
        private long reached;
        private long hit;
        /** The last schedule that reached it, and the number of those that did. */
        private int reachedBy;

        private int schedules;

        /** The part of a share of sites that it gets. */
        private double part;

        Counted(Kind kind, String place, String called, double part) {
            this.kind = kind;
            this.place = place;
            this.called = called;
            this.part = part;
        }

        /** Returns a number that a moved line does not change, for aims. */
        private int name() {
            return (place.substring(0, place.lastIndexOf(':')) + " " + called).hashCode();
        }
    }

    private final List<Counted> sites = new ArrayList<>();
    private final Map<String, List<Counted>> places = new HashMap<>();
    /** All sites by their numbers, for threads that come to one. */
    private volatile Counted[] numbered = new Counted[0];

    private volatile boolean watched;
    /** The number of schedules that have begun. */
    private volatile int begun;

    /** The part of a site that is linked from now on: no first schedule reached it. */
    private double partOfNext;

    private int[] often = new int[0];
    private int[] rare = new int[0];

    /**
     * Returns the number of a site. Classes are linked when a schedule first needs them, one at a time. A compiler has several copies of the
     * calls of a {@code finally}: they are one site.
     */
    public synchronized int add(Kind kind, String place, String called) {
        for (int i = 0; i < sites.size(); i++) {
            if (sites.get(i).place.equals(place) && sites.get(i).called.equals(called)) {
                return i;
            }
        }
        Counted site = new Counted(kind, place, called, partOfNext);
        sites.add(site);
        places.computeIfAbsent(place, any -> new ArrayList<>()).add(site);
        numbered = sites.toArray(Counted[]::new);
        return sites.size() - 1;
    }

    /**
     * Lets faults aim at the sites that are linked now. The schedules before this one are equal in all processes, and so is what the seed of
     * a later one aims at.
     */
    public synchronized void aimAtLinked() {
        List<Integer> all = IntStream.range(0, sites.size())
                .boxed()
                .sorted(Comparator.comparing(number -> sites.get(number).place + " " + sites.get(number).called))
                .toList();
        often = all.stream()
                .filter(number -> sites.get(number).schedules == begun)
                .mapToInt(number -> number)
                .toArray();
        rare = all.stream()
                .filter(number -> sites.get(number).schedules < begun)
                .mapToInt(number -> number)
                .toArray();
        for (Counted site : sites) {
            if (site.schedules < begun) {
                site.part = site.schedules == 0 ? 1 : PART_OF_REACHED;
            }
        }
        partOfNext = 1;
    }

    /** Returns the part of a share of sites that a site gets: 1 if none of the first schedules reached it, 0 if all did. */
    double part(int number) {
        return numbered[number].part;
    }

    /** Returns a number for the name of a site, which has no line. */
    int name(int number) {
        return numbered[number].name();
    }

    /** Returns the sites at which faults aim, and that each of the first schedules reached. */
    int[] often() {
        return often;
    }

    /** Returns those that some schedules reach. */
    int[] rare() {
        return rare;
    }

    /** Notes that the next schedule begins. */
    synchronized void begin() {
        begun++;
    }

    /** Notes that a thread came to a site. */
    void reached(int number) {
        Counted site = numbered[number];
        site.reached++;
        if (site.reachedBy != begun) {
            site.reachedBy = begun;
            site.schedules++;
        }
    }

    /** Returns true for a site that asks the store or another process. */
    boolean sends(int number) {
        return numbered[number].kind == Kind.SEND;
    }

    /** Notes that a fault met a site. */
    void hit(int number) {
        if (number != NONE) {
            numbered[number].hit++;
        }
    }

    /**
     * Notes that a fault meets the caller: its site, and those below which that one is called.
     *
     * @param number of its site; {@link #NONE}: the stack says so
     */
    void hitCaller(int number) {
        if (watched) {
            hit(new Throwable().getStackTrace());
        } else {
            hit(number);
        }
    }

    /** Notes that a thread ends where it is: within the calls of its stack. */
    synchronized void hit(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            places.getOrDefault(frame.getClassName() + ":" + frame.getLineNumber(), List.of())
                    .forEach(site -> site.hit++);
        }
    }

    /** Counts the faults of all sites from now on, which takes the stacks of all threads that a fault meets. */
    public void watchStacks() {
        watched = true;
    }

    boolean areStacksWatched() {
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
