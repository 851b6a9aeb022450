// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.master.table.Standing;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.operation.LostAside;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a mount whose bytes are lost. Their number is known at once; their names are looked for in the whole table, a part at
 * a time. Stepped by the upkeep thread; asked by any.
 */
public final class Losses {
    /** The most paths that health and mounts tell; 'packing fsck' tells all. */
    static final int MOST_PATHS = 20;
    /** For how long after the opening of a mount, or the last heartbeat, workers may come back before their lack counts. */
    public static final Duration GRACE = Duration.ofMinutes(1);
    /** A search for names costs a reading of the table: so many times as long passes before the next. */
    private static final int PAUSE_FACTOR = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Losses.class);

    private final String mount;
    private final Table table;
    private final LongSupplier nanoClock;
    private final long startNanos;
    private volatile List<String> paths = List.of();
    private volatile Consumer<List<String>> onFound = found -> {};

    private List<String> found = new ArrayList<>();
    private Optional<byte[]> next = Optional.empty();
    /** The number of lost files for which names are looked for. */
    private long searchedFor;

    /** The number of lost files for which the paths are right; -1: for none. */
    private long pathsFor = -1;

    private long told;
    private long searchStart;
    private long notBefore;

    public Losses(String mount, Table table, LongSupplier nanoClock) {
        this.mount = mount;
        this.table = table;
        this.nanoClock = nanoClock;
        this.startNanos = nanoClock.getAsLong();
        this.notBefore = startNanos;
    }

    /** Sets the listener for paths of files whose loss has just become known. */
    public void whenFound(Consumer<List<String>> told) {
        onFound = told;
    }

    /** Looks through a part of the table, if names are missing; returns whether there was one. */
    public boolean step() throws IOException {
        long lost = number(table.statistics());
        if (lost == 0) {
            paths = List.of();
            next = Optional.empty();
            pathsFor = 0;
            told = 0;
            return false;
        }
        if (next.isEmpty()) {
            if (pathsFor == lost || nanoClock.getAsLong() - notBefore < 0) {
                return false;
            }
            found = new ArrayList<>();
            searchedFor = lost;
            searchStart = nanoClock.getAsLong();
            next = Optional.of(Standing.first());
        }
        Standing.LostPage page = table.standing().lost(next.get());
        found.addAll(page.paths());
        boolean done = page.next().isEmpty() || found.size() >= Math.min(MOST_PATHS, searchedFor);
        next = done ? Optional.empty() : page.next();
        if (done) {
            finish();
        }
        return true;
    }

    private void finish() {
        List<String> first = List.copyOf(found.subList(0, Math.min(found.size(), MOST_PATHS)));
        paths = first;
        pathsFor = searchedFor;
        long now = nanoClock.getAsLong();
        notBefore = now + PAUSE_FACTOR * (now - searchStart);
        if (searchedFor > told) {
            LOG.error("mount {}: {}. {}{}", mount, count(), names(first), whatToDo());
            onFound.accept(first);
        }
        told = searchedFor;
    }

    /** Returns some of the files that are lost; a search may still be under way. */
    public List<String> paths() {
        return paths;
    }

    /**
     * Returns the reason why operators must see to lost files; empty: none is lost.
     *
     * @param named whether the caller may learn names of files
     */
    public Optional<String> problem(boolean named) {
        return number(table.statistics()) == 0
                ? Optional.empty()
                : Optional.of(count() + ". " + (named ? names(paths) : "") + whatToDo());
    }

    /** Accepts the loss of bytes that no file of the present has; returns what they were, for people; empty: there are none. */
    public Optional<String> acceptPast() throws IOException {
        LostAside.Accepted accepted = new LostAside.Accepted(0, 0);
        for (Optional<byte[]> from = Optional.of(Standing.first()); from.isPresent(); ) {
            Standing.LostPage page = table.standing().lost(from.get());
            if (!page.past().isEmpty()) {
                accepted = accepted.plus(Waiting.on(
                        table.writer().submit(transaction -> LostAside.acceptPast(transaction, page.past()))));
            }
            from = page.next();
        }
        if (accepted.contents() == 0) {
            return Optional.empty();
        }
        String told = "%d lost files of %d bytes that only snapshots or clones of directories keep"
                .formatted(accepted.contents(), accepted.bytes());
        LOG.warn("mount {}: the operator goes on without {}", mount, told);
        return Optional.of(told);
    }

    private long number(BdtStatistics totals) {
        return totals.lostFiles() + missing(totals);
    }

    /** Returns the files that no worker has come back with, when workers have had the time. */
    private long missing(BdtStatistics totals) {
        return nanoClock.getAsLong() - startNanos < GRACE.toNanos() ? 0 : totals.missingFiles();
    }

    private String count() {
        BdtStatistics totals = table.statistics();
        long missing = missing(totals);
        String back = "%d files are lost: workers came back without their %d bytes"
                .formatted(totals.lostFiles(), totals.lostBytes());
        String never = "%d files are lost: no worker has come back with them since a recovery".formatted(missing);
        if (missing == 0) {
            return back;
        }
        return totals.lostFiles() == 0 ? never : back + "; " + never;
    }

    private static String names(List<String> some) {
        return some.isEmpty()
                ? ""
                : "Some are "
                        + String.join(", ", some.stream().map(Losses::oneLine).toList()) + ". ";
    }

    /** A name that cannot end the line. */
    private static String oneLine(String path) {
        return path.replaceAll("\\p{Cntrl}", "?");
    }

    private static String whatToDo() {
        return "'packing fsck' names all; start a worker that has their disk, or write them anew, or move them away with"
                + " 'packing fsck --repair'; those that no path shows end with 'packing mounts accept' (docs/recover.md)";
    }
}
