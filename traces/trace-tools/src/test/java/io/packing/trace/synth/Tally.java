// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Statistics of a synthetic trace, from its events. All files and blocks are in memory. */
final class Tally {
    private static final long MINUTE = 60_000_000_000L;

    /** A file over the trace. A time is -1 when its event did not happen. */
    static final class Seen {
        final String path;
        long size;
        long created = -1;
        long deleted = -1;
        long written;
        long read;

        Seen(String path) {
            this.path = path;
        }

        boolean isLog() {
            return path.contains("/WALs/");
        }

        String family() {
            return String.valueOf(Path.of(path).getName(path.contains("/.tmp/") ? 6 : 5));
        }
    }

    /** A block that was read. */
    private static final class Block {
        int reads;
        int bytes;
        long last = Long.MIN_VALUE / 2;
    }

    long events;
    double get;
    double flush;
    double log;
    double compactionRead;
    double compactionWritten;
    double dataRead;
    double dataReadOnce;
    double dataReadHot;
    double dataBoth;
    double coreLive;
    long reads;
    long repeatsIn32Min;
    long repeatsIn4Min;
    long sequential;
    long puts;
    long deletes;
    long lastNanos;
    final List<Seen> files = new ArrayList<>();
    private final Map<String, Seen> byPath = new HashMap<>();
    private final Map<Seen, Map<Long, Block>> blocks = new HashMap<>();
    private final Map<Seen, Map<Long, Long>> ends = new HashMap<>();
    private final Map<Seen, Set<Long>> coreRead = new HashMap<>();

    static Tally of(TraceSource source) throws IOException {
        Tally tally = new Tally();
        for (Optional<TraceEvent> event = source.next(); event.isPresent(); event = source.next()) {
            tally.add(event.get());
        }
        tally.finish();
        return tally;
    }

    double written() {
        return flush + log + compactionWritten;
    }

    double read() {
        return get + compactionRead;
    }

    List<Seen> created(Predicate<Seen> which) {
        return files.stream().filter(f -> f.created >= 0).filter(which).toList();
    }

    /** Returns the bytes of I/O per byte of a family's data (Fig. 3.4b). */
    double ioPerByte(String family) {
        List<Seen> own = files.stream()
                .filter(f -> !f.isLog() && f.family().equals(family))
                .toList();
        return own.stream().mapToDouble(f -> f.read + f.written).sum()
                / own.stream().mapToDouble(this::dataOf).sum();
    }

    private void add(TraceEvent event) {
        if (event.monoNanos() < lastNanos) {
            throw new AssertionError("time goes back to %d from %d".formatted(event.monoNanos(), lastNanos));
        }
        lastNanos = event.monoNanos();
        events++;
        Seen file = byPath.computeIfAbsent(event.path(), this::seen);
        switch (event.call()) {
            case CREATE_FILE -> file.created = event.monoNanos();
            case RENAME -> {
                byPath.remove(event.path());
                byPath.put(event.target(), file);
            }
            case DELETE -> {
                file.deleted = event.monoNanos();
                byPath.remove(event.path());
            }
            case OPEN_FILE -> file.size = event.result();
            case WRITE -> write(event, file);
            case PREAD_BYTE_BUFFER, READ_BYTE_BUFFER -> read(event, file);
            default -> {}
        }
    }

    private Seen seen(String path) {
        Seen file = new Seen(path);
        files.add(file);
        return file;
    }

    private void write(TraceEvent event, Seen file) {
        assertThatEquals(event.offset(), file.written);
        file.written += event.bytes();
        file.size = file.written;
        if (file.isLog()) {
            log += event.bytes();
            if (event.context().equals("put")) {
                puts++;
            } else {
                deletes++;
            }
        } else if (event.thread().contains("FLUSH")) {
            flush += event.bytes();
        } else {
            compactionWritten += event.bytes();
        }
    }

    private static void assertThatEquals(long actual, long expected) {
        if (actual != expected) {
            throw new AssertionError("written at %d, the file ends at %d".formatted(actual, expected));
        }
    }

    private void read(TraceEvent event, Seen file) {
        if (event.end() > file.size) {
            throw new AssertionError("read to %d of %d".formatted(event.end(), file.size));
        }
        reads++;
        file.read += event.bytes();
        Block block =
                blocks.computeIfAbsent(file, f -> new HashMap<>()).computeIfAbsent(event.offset(), o -> new Block());
        block.reads++;
        block.bytes = (int) event.bytes();
        if (event.monoNanos() - block.last <= 32 * MINUTE) {
            repeatsIn32Min++;
        }
        if (event.monoNanos() - block.last <= 4 * MINUTE) {
            repeatsIn4Min++;
        }
        block.last = event.monoNanos();
        Map<Long, Long> fileEnds = ends.computeIfAbsent(file, f -> new HashMap<>());
        Long before = fileEnds.get(event.offset());
        if (before != null && event.monoNanos() - before <= MINUTE) {
            sequential++;
        }
        fileEnds.put(event.end(), event.monoNanos());
        if (event.call() == Call.PREAD_BYTE_BUFFER) {
            get += event.bytes();
            coreRead.computeIfAbsent(file, f -> new HashSet<>()).add(event.offset());
        } else {
            compactionRead += event.bytes();
        }
    }

    private void finish() {
        blocks.forEach((file, ofFile) -> ofFile.forEach((offset, block) -> {
            dataRead += block.bytes;
            if (block.reads == 1) {
                dataReadOnce += block.bytes;
            }
            if (block.reads >= 64) {
                dataReadHot += block.bytes;
            }
            if (file.written > 0) {
                dataBoth += block.bytes;
            }
            if (file.deleted < 0 && coreRead.getOrDefault(file, Set.of()).contains(offset)) {
                coreLive += block.bytes;
            }
        }));
    }

    private double dataOf(Seen file) {
        double read = blocks.getOrDefault(file, Map.of()).values().stream()
                .mapToDouble(b -> b.bytes)
                .sum();
        return file.written > 0 ? file.written : read;
    }
}
