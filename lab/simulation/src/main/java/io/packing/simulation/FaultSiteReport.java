// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation;

import io.packing.simulation.schedule.FaultSites.Kind;
import io.packing.simulation.schedule.FaultSites.Site;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report of the sites of production that faults met, and of those that they did not. */
public final class FaultSiteReport {
    private static final int PERCENT = 100;

    private FaultSiteReport() {}

    /** Prints each site without a fault, and the sums as a line of JSON. */
    public static void print(List<Site> sites, PrintWriter out) {
        sites.stream().filter(site -> site.hit() == 0).forEach(site -> out.println(site.line()));
        List<String> kinds = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            kinds.add("\"%s\":%s"
                    .formatted(
                            kind.toString().toLowerCase(Locale.ROOT),
                            sums(sites.stream()
                                    .filter(site -> site.kind() == kind)
                                    .toList())));
        }
        out.println("{\"sites\":%s,%s}".formatted(sums(sites), String.join(",", kinds)));
        out.flush();
    }

    private static String sums(List<Site> sites) {
        long reached = sites.stream().filter(site -> site.reached() > 0).count();
        long hit = sites.stream().filter(site -> site.hit() > 0).count();
        return String.format(
                Locale.ROOT,
                "{\"linked\":%d,\"reached\":%d,\"hit\":%d,\"reached_without_a_fault_percent\":%.1f}",
                sites.size(),
                reached,
                hit,
                reached == 0 ? 0.0 : (double) PERCENT * (reached - hit) / reached);
    }
}
