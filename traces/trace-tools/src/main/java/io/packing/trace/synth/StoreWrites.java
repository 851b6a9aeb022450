// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The flushes and compactions: sizes, lifetimes and amplification of Figs. 3.2, 3.5 and 3.6.
 *
 * <p>The plan consists of trees. The root is a compaction that writes a large, lasting file; the leaves are the flushes
 * whose data ends in it. So the plan chooses each file's lifetime. It has trees with a root behind the end of the
 * trace, too, and leaves out all that lies before the start: the trace is a window.
 */
final class StoreWrites implements Activity {
    private static final double SECOND = 1e9;
    private static final double MINUTE = 60 * SECOND;
    private static final double HOUR = 60 * MINUTE;
    /** The ages of a fresh file at its compaction: less than a minute after its flush. */
    private static final double FRESH_FROM = 1 * SECOND;

    private static final double FRESH_TO = 9 * SECOND;
    /** The least age of the other files that a compaction reads. */
    private static final double STALE_FROM = 2 * MINUTE;

    private static final double SMALL_FROM = 20 * MINUTE;
    private static final double LEAST_BYTES = 1024;

    private enum Kind {
        SMALL,
        MEDIUM,
        REWRITTEN,
        ROOT
    }

    private final Workload workload;
    private final TraceModel.Writing model;
    private final Events events;
    private final HBaseNames names;
    private final long end;
    private final int regions;
    private final double ahead;
    private final double rootPeriod;
    private final PriorityQueue<Queued> queue = new PriorityQueue<>((a, b) ->
            Long.compare(a.time, b.time) != 0 ? Long.compare(a.time, b.time) : Long.compare(a.number, b.number));

    private final Turns treeFamilies;
    private final Turns smallFamilies;
    private final Permutation rootStrata;
    private final long rootCount;
    private final double smallPeriod;
    private final EvenSequence regionDraws;
    private final EvenSequence flushLives;
    private final EvenSequence freshLives;
    private final EvenSequence smallLives;
    private final EvenSequence mediumKinds;
    private final EvenSequence shortMediumLives;
    private final EvenSequence longMediumLives;
    private final EvenSequence largeLives;
    /** The choice between the near and the far side of an end of the trace, for the writing of a large file. */
    private final Share nearLives = new Share(1);

    private final EvenSequence flushSizes;
    private final EvenSequence mediumSizes;
    private final EvenSequence rewrittenSizes;
    private final Share flushCounts;
    private final Share smallCounts;
    private final Share mediumCounts;
    private final Share rewrittenCounts;
    private long roots;
    private long smalls;
    private long number;

    StoreWrites(
            Workload workload, TraceModel model, double scale, long end, long seed, Events events, HBaseNames names) {
        this.workload = workload;
        this.model = model.writing();
        this.events = events;
        this.names = names;
        this.end = end;
        this.regions = (int) Math.max(2, Math.round(workload.requests().regions() * scale));
        this.ahead = (workload.files().largeLifeHours()
                        + workload.files().mediumLifeHours()
                        + 2 * workload.files().smallLifeHours()
                        + 1)
                * HOUR;
        this.rootCount = Math.max(1, Math.round(this.model.roots() * scale));
        this.rootPeriod = (double) end / rootCount;
        this.rootStrata = new Permutation(rootCount, seed);
        this.smallPeriod = end / (double) Math.max(1, Math.round(this.model.smallsAlone() * scale));
        List<Workload.Family> families = workload.families();
        double alone = families.stream().mapToDouble(Workload.Family::small).sum();
        this.treeFamilies = new Turns(
                families.stream().mapToDouble(Workload.Family::written).toArray());
        this.smallFamilies =
                new Turns(families.stream().mapToDouble(x -> x.small() / alone).toArray());
        long draws = seed ^ 0x7374L;
        this.regionDraws = new EvenSequence(draws + 2);
        this.flushLives = new EvenSequence(draws + 3);
        this.freshLives = new EvenSequence(draws + 4);
        this.smallLives = new EvenSequence(draws + 5);
        this.mediumKinds = new EvenSequence(draws + 6);
        this.shortMediumLives = new EvenSequence(draws + 7);
        this.longMediumLives = new EvenSequence(draws + 1);
        this.largeLives = new EvenSequence(draws + 8);
        this.flushSizes = new EvenSequence(draws + 9);
        this.mediumSizes = new EvenSequence(draws + 10);
        this.rewrittenSizes = new EvenSequence(draws + 11);
        double rewriting = workload.families().stream()
                .filter(Workload.Family::rewrites)
                .mapToDouble(Workload.Family::written)
                .sum();
        this.flushCounts = new Share(this.model.flushesPerJob());
        this.smallCounts = new Share(this.model.smallsPerTree());
        this.mediumCounts = new Share(this.model.mediums() / (this.model.roots() + this.model.rewritten()));
        this.rewrittenCounts = new Share(this.model.rewritten() / this.model.roots() / rewriting);
        planAhead(0);
    }

    @Override
    public long time() {
        return queue.isEmpty() ? OVER : queue.element().time;
    }

    @Override
    public TraceEvent step() {
        Queued head = queue.remove();
        TraceEvent event = head.activity.step();
        enqueue(head.activity, head.number);
        planAhead(head.time);
        return event;
    }

    private void planAhead(long now) {
        for (double at = (roots + 0.5) * rootPeriod; at <= now + ahead && at < end + ahead; at += rootPeriod) {
            Workload.Family family = workload.families().get(treeFamilies.next());
            compaction(at, store(family), Kind.ROOT, family.rewrites());
            roots++;
        }
        for (double at = (smalls + 0.5) * smallPeriod; at <= now + ahead && at < end + ahead; at += smallPeriod) {
            compaction(at, store(workload.families().get(smallFamilies.next())), Kind.SMALL, false);
            smalls++;
        }
    }

    private String store(Workload.Family family) {
        return names.store((int) regionDraws.between(0, regions), family.name());
    }

    /** Plans a compaction and, before it, all writes of its inputs. Returns its output. */
    private StoreFile compaction(double time, String store, Kind kind, boolean rewrites) {
        List<StoreFile> inputs = new ArrayList<>();
        if (kind == Kind.ROOT && rewrites) {
            for (int i = rewrittenCounts.next(); i > 0; i--) {
                inputs.add(compaction(time - largeLife(time) * HOUR, store, Kind.REWRITTEN, false));
            }
        }
        if (kind == Kind.ROOT || kind == Kind.REWRITTEN) {
            for (int i = mediumCounts.next(); i > 0; i--) {
                inputs.add(compaction(time - mediumLife() * HOUR, store, Kind.MEDIUM, false));
            }
        }
        if (kind != Kind.SMALL) {
            for (int i = smallCounts.next(); i > 0; i--) {
                double life = smallLives.between(SMALL_FROM, workload.files().smallLifeHours() * HOUR);
                inputs.add(compaction(time - life, store, Kind.SMALL, false));
            }
        }
        for (int i = flushCounts.next(); i > 0; i--) {
            double life = i == 1
                    ? freshLives.between(FRESH_FROM, FRESH_TO)
                    : flushLives.between(STALE_FROM, workload.files().smallLifeHours() * HOUR);
            inputs.add(flush(time - life, store));
        }
        long own = inputs.stream().mapToLong(StoreFile::size).sum();
        double size = kind == Kind.SMALL ? own * model.outputRatio() : size(kind);
        double old = size / model.outputRatio() - own;
        if (kind != Kind.SMALL && old > workload.requests().blockBytes()) {
            inputs.add(old(time, store, old));
        }
        StoreFile output = file(store, size, size);
        if (time >= 0 && time < end) {
            String thread = names.compactor(kind == Kind.ROOT || kind == Kind.REWRITTEN, number);
            enqueue(
                    new HBaseCompaction((long) time, List.copyOf(inputs), output, workload.requests(), events, thread),
                    ++number);
        }
        return output;
    }

    private StoreFile flush(double time, String store) {
        double size = Math.max(LEAST_BYTES, model.flushBytes() * flushSizes.exponential());
        StoreFile file = file(store, size, size);
        if (time >= 0 && time < end) {
            enqueue(new Flush((long) time, file, workload.requests(), events, names.flusher(number)), ++number);
        }
        return file;
    }

    /** Returns an old file of which a compaction at {@code time} scans {@code scanned} bytes. */
    private StoreFile old(double time, String store, double scanned) {
        StoreFile file = file(store, scanned / (1 - model.tailRatio()), scanned);
        if (time >= 0 && time - TailReads.BEFORE_NANOS < end) {
            enqueue(new TailReads((long) time, file, workload.requests().blockBytes(), events, names), ++number);
        }
        return file;
    }

    private StoreFile file(String store, double size, double scanned) {
        return new StoreFile(store, names.nextFile(), (long) Math.ceil(size), (long) Math.ceil(scanned));
    }

    /**
     * Returns the life, in hours, of a large file that the compaction at {@code time} reads.
     *
     * <p>The file is written before or after the trace's start. For a compaction behind the trace's end it is written
     * before or after that end. A share decides, not a draw: a trace of fifty million events has fifty such files, each
     * 2 percent.
     */
    private double largeLife(double time) {
        double from = TraceModel.LARGE_LIFE_FROM_HOURS;
        double to = workload.files().largeLifeHours();
        double edge = Math.max(from, Math.min(to, (time < end ? time : time - end) / HOUR));
        return nearLives.next((edge - from) / (to - from)) == 0
                ? largeLives.between(edge, to)
                : largeLives.between(from, edge);
    }

    private double mediumLife() {
        return mediumKinds.next() < model.mediumUnder8h()
                ? shortMediumLives.logBetween(1, 8)
                : longMediumLives.logBetween(8, workload.files().mediumLifeHours());
    }

    private double size(Kind kind) {
        return switch (kind) {
            case MEDIUM -> {
                // The sizes spread evenly around the mean, as wide as the bounds of medium files allow.
                double half = Math.min(MEDIUM_TO - model.mediumBytes(), model.mediumBytes() - MEDIUM_FROM);
                yield mediumSizes.between(model.mediumBytes() - half, model.mediumBytes() + half);
            }
            case REWRITTEN -> model.rewrittenBytes() * rewrittenSizes.between(0.5, 1.5);
            default ->
                // Strata replace draws, since a trace of 50 million events has only 45 such files.
                model.rootBytes() * (0.5 + (rootStrata.of(roots % rootCount) + 0.5) / rootCount);
        };
    }

    private static final double MEDIUM_FROM = 17 << 20;
    private static final double MEDIUM_TO = 63 << 20;

    private void enqueue(Activity activity, long id) {
        if (activity.time() < end) {
            queue.add(new Queued(activity.time(), id, activity));
        }
    }

    private record Queued(long time, long number, Activity activity) {}
}
