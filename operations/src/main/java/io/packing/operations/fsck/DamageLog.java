// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SequenceWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The damage that was found, in a temporary file: a mount may have millions of damaged files. Thread-safe. */
public final class DamageLog implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final BufferedWriter out;
    private final SequenceWriter values;
    private final Map<DamageKind, Long> counts = new EnumMap<>(DamageKind.class);
    private long setAside;
    private long nameless;
    private Function<Damage, List<Damage>> names = List::of;

    public DamageLog(Path directory) throws IOException {
        this.file = directory.resolve("damage");
        this.out = Files.newBufferedWriter(file);
        this.values = JSON.writerFor(Damage.class).withRootValueSeparator("\n").writeValues(out);
    }

    /** Sets the function that names damage from now on. */
    synchronized void follow(Function<Damage, List<Damage>> namedDamage) {
        names = namedDamage;
    }

    synchronized void add(Damage damage) {
        names.apply(damage).forEach(this::addNamed);
    }

    /** Logs damage at its own path. */
    synchronized void addNamed(Damage damage) {
        if (Repair.isSetAside(damage)) {
            countSetAside();
            return;
        }
        try {
            values.write(damage);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
        counts.merge(damage.kind(), 1L, Long::sum);
    }

    /** Counts a finding that a repair has put out of the way, or that a snapshot shows of it. */
    synchronized void countSetAside() {
        setAside++;
    }

    /** Counts lost bytes that no path shows. */
    synchronized void countNameless() {
        nameless++;
    }

    /** Returns the number of contents whose bytes are lost, and which no path shows any more; they are no damage. */
    public synchronized long nameless() {
        return nameless;
    }

    /** Returns the counts of damage by kind. */
    public synchronized Map<DamageKind, Long> counts() {
        return new EnumMap<>(counts);
    }

    /** Findings of files that an earlier repair has moved below {@code /lost+found}; they are no damage any more. */
    public synchronized long setAside() {
        return setAside;
    }

    public boolean isEmpty() {
        return counts().isEmpty();
    }

    /** A visitor of all damage. */
    public interface Visitor {
        void visit(Damage damage) throws IOException;
    }

    /** Tells all that was found so far, in the order in which it was. */
    public void forEach(Visitor visitor) throws IOException {
        synchronized (this) {
            values.flush();
        }
        try (MappingIterator<Damage> all = JSON.readerFor(Damage.class).readValues(file.toFile())) {
            while (all.hasNextValue()) {
                visitor.visit(all.nextValue());
            }
        }
    }

    @Override
    public void close() throws IOException {
        values.close();
        out.close();
        Files.deleteIfExists(file);
    }
}
