// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.sim.bill.AccessLog;
import io.packing.sim.bill.DirectoryBill;
import io.packing.sim.bill.OptionSearch;
import io.packing.sim.bill.PriceAudit;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The findings of an audit of prices, for people and for programs.
 *
 * @param directories each one's part of the bill; dollars that are no number are unknown
 * @param search of options, with a trace
 * @param log what was read of the store's log
 * @param measured facts about a play of a trace, by name; empty: none was played
 */
record PriceFindings(
        List<Section> sections,
        List<DirectoryBill> directories,
        Optional<OptionSearch> search,
        Optional<AccessLog.Outcome> log,
        Map<String, Object> measured) {
    private static final double PERCENT = 100;

    /**
     * Numbers beside their counterparts.
     *
     * @param left the name of the first column of numbers
     * @param right the name of the second one, whose numbers are taken for true
     */
    record Section(String title, String left, String right, PriceAudit audit) {}

    PriceFindings {
        sections = List.copyOf(sections);
        directories = List.copyOf(directories);
        measured = Collections.unmodifiableMap(new LinkedHashMap<>(measured));
    }

    /** Returns whether there is nothing to tell. */
    boolean isEmpty() {
        return sections.isEmpty() && directories.isEmpty() && search.isEmpty();
    }

    /** Returns whether all numbers that are judged are within the tolerance, and the log could be priced to the same part. */
    boolean isWithin() {
        return sections.stream().allMatch(section -> section.audit().failures().isEmpty())
                && log.map(outcome -> sections.stream()
                                .allMatch(section ->
                                        outcome.unpriced() <= section.audit().tolerance() * outcome.lines()))
                        .orElse(true);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("within", isWithin());
        json.put("audits", sections.stream().map(PriceFindings::json).toList());
        json.put("directories", directories.stream().map(PriceFindings::json).toList());
        search.ifPresent(found -> {
            json.put("direct", json(found.direct()));
            json.put("recommended", json(found.recommended()));
            json.put("choices", found.packed().stream().map(PriceFindings::json).toList());
        });
        log.ifPresent(outcome -> json.put("log", outcome));
        if (!measured.isEmpty()) {
            json.put("measured", measured);
        }
        return json;
    }

    private static Map<String, Object> json(Section section) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", section.title());
        json.put("tolerance_percent", PERCENT * section.audit().tolerance());
        json.put("within", section.audit().failures().isEmpty());
        json.put(
                "rows",
                section.audit().rows().stream()
                        .map(row -> {
                            Map<String, Object> each = new LinkedHashMap<>();
                            each.put("what", row.what());
                            each.put(section.left(), row.predicted());
                            each.put(section.right(), row.counted());
                            row.deviation().ifPresent(share -> each.put("deviation_percent", PERCENT * share));
                            each.put("judged", row.judged());
                            return each;
                        })
                        .toList());
        return json;
    }

    private static Map<String, Object> json(DirectoryBill bill) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("directory", bill.directory());
        json.put("files", bill.files());
        json.put("bytes", bill.bytes());
        json.put("direct_dollars", bill.directDollars());
        putKnown(json, "packed_dollars", bill.packedDollars());
        return json;
    }

    private static Map<String, Object> json(OptionSearch.Choice choice) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("blob_max_bytes", choice.blobMaxBytes());
        json.put("seal_after_seconds", choice.sealAfter().toMillis() / 1e3);
        json.put("puts", choice.bill().puts());
        json.put("gets", choice.bill().gets());
        json.put("request_dollars", choice.bill().dollars());
        putKnown(json, "durable_seconds", choice.durableSeconds());
        putKnown(json, "durable_seconds_most", choice.durableSecondsMost());
        putKnown(json, "read_millis", choice.readMillis());
        putKnown(json, "read_millis_p99", choice.readMillisP99());
        return json;
    }

    /** Adds a number, where a model has one: JSON knows no other. */
    private static void putKnown(Map<String, Object> json, String name, double value) {
        if (!Double.isNaN(value)) {
            json.put(name, value);
        }
    }

    void print(PrintWriter out) {
        sections.forEach(section -> print(section, out));
        if (!directories.isEmpty()) {
            out.printf("%-40s %12s %18s %14s %14s%n", "DIRECTORY", "FILES", "BYTES", "DIRECT $", "PACKED $");
            directories.forEach(bill -> out.printf(
                    Locale.ROOT,
                    "%-40s %,12d %,18d %14.6f %14s%n",
                    bill.directory(),
                    bill.files(),
                    bill.bytes(),
                    bill.directDollars(),
                    number("%.6f", bill.packedDollars())));
            out.println();
        }
        search.ifPresent(found -> print(found, out));
        measured.forEach((name, value) -> out.printf(
                "%-30s %s%n",
                name.replace('_', ' '),
                value instanceof Double number ? number("%.3f", number) : String.valueOf(value)));
        log.ifPresent(outcome -> print(outcome, out));
        sections.forEach(section -> section.audit()
                .failures()
                .forEach(row -> out.printf(
                        Locale.ROOT,
                        "FAILED: %s: %s %s, %s %s: %s, and %.3g %% is allowed%n",
                        row.what(),
                        section.left(),
                        number(row, row.predicted()),
                        section.right(),
                        number(row, row.counted()),
                        deviation(row),
                        PERCENT * section.audit().tolerance())));
    }

    private static void print(Section section, PrintWriter out) {
        out.println(section.title());
        out.printf("%-20s %18s %18s %12s%n", "", section.left(), section.right(), "deviation");
        section.audit()
                .rows()
                .forEach(row -> out.printf(
                        "%-20s %18s %18s %12s%n",
                        row.what() + (row.judged() ? " *" : ""),
                        number(row, row.predicted()),
                        number(row, row.counted()),
                        deviation(row)));
        out.printf(
                Locale.ROOT,
                "* is judged: at most %.3g %% apart%n%n",
                PERCENT * section.audit().tolerance());
    }

    private static String number(PriceAudit.Row row, double value) {
        boolean time = row.what().startsWith("s ") || row.what().startsWith("ms ");
        return String.format(Locale.ROOT, row.what().startsWith("dollars") ? "%.7f" : time ? "%.3f" : "%,.0f", value);
    }

    private static String deviation(PriceAudit.Row row) {
        return row.deviation()
                .map(share -> String.format(Locale.ROOT, "%+.2f %%", PERCENT * share))
                .orElse("none counted");
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }

    private static void print(OptionSearch found, PrintWriter out) {
        out.printf(
                "%-30s %10s %10s %14s %12s %12s %10s%n",
                "SIMULATED", "PUT", "GET", "requests $", "durable s", "at most s", "read ms");
        print("direct", found.direct(), out);
        for (OptionSearch.Choice choice : found.packed()) {
            String name = "%,d MB after %,.0f s%s"
                    .formatted(
                            choice.blobMaxBytes() >> 20,
                            choice.sealAfter().toMillis() / 1e3,
                            choice.equals(found.recommended()) ? " *" : "");
            print(name, choice, out);
        }
        out.printf(
                Locale.ROOT,
                "%n* recommended: --option packing.blob.max.bytes=%d --option packing.seal.after=%dms%n%n",
                found.recommended().blobMaxBytes(),
                found.recommended().sealAfter().toMillis());
    }

    private static void print(String name, OptionSearch.Choice choice, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%-30s %,10.0f %,10.0f %14.7f %12s %12s %10s%n",
                name,
                choice.bill().puts(),
                choice.bill().gets(),
                choice.bill().dollars(),
                number("%.2f", choice.durableSeconds()),
                number("%.2f", choice.durableSecondsMost()),
                number("%.2f", choice.readMillis()));
    }

    private static void print(AccessLog.Outcome outcome, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "log: %,d lines in %d files, %,d of other parts, %,d malformed%n",
                outcome.lines(),
                outcome.files(),
                outcome.elsewhere(),
                outcome.malformed());
        outcome.named().forEach(line -> out.println("  " + line));
        outcome.unknown()
                .forEach((operation, count) ->
                        out.printf(Locale.ROOT, "  %,d of %s: its price is not known%n", count, operation));
    }
}
