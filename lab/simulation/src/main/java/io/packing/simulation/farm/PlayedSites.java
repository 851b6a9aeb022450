// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import io.packing.simulation.schedule.FaultSites.Kind;
import io.packing.simulation.schedule.FaultSites.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The sites of production that the processes of a farm have reached, and the faults that met them. Confined to one thread. */
final class PlayedSites {
    /** The line by which the farm asks a process for its sites, in the place of a seed. */
    static final String ASKED = "sites";
    /** The line behind the last site of an answer. */
    static final String END = "end";

    private static final String BETWEEN = "\t";
    private static final int FIELDS = 5;

    private final TreeMap<String, Site> sites = new TreeMap<>();

    /** Returns the line by which a process tells a site. */
    static String line(Site site) {
        return String.join(
                BETWEEN,
                site.kind().name(),
                site.place(),
                site.called(),
                Long.toString(site.reached()),
                Long.toString(site.hit()));
    }

    /** @throws IllegalArgumentException for a line that tells no site */
    static Site parse(String line) {
        String[] fields = line.split(BETWEEN, -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("a process of the farm answered: " + line);
        }
        return new Site(
                Kind.valueOf(fields[0]), fields[1], fields[2], Long.parseLong(fields[3]), Long.parseLong(fields[4]));
    }

    /** Adds the sites of one process to those of the others. */
    void add(List<Site> told) {
        for (Site site : told) {
            Site unused = sites.merge(
                    site.place() + BETWEEN + site.called(),
                    site,
                    (one, other) -> new Site(
                            one.kind(),
                            one.place(),
                            one.called(),
                            one.reached() + other.reached(),
                            one.hit() + other.hit()));
        }
    }

    /** Returns all sites, in the order of their places. */
    List<Site> all() {
        return new ArrayList<>(sites.values());
    }
}
