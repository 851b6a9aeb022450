// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Several trace files as one trace, by wall-clock time; of equal times, by the files' order. Events of one file keep
 * their order. Memory: one block per file. Confined to one thread.
 */
public final class TraceFiles implements TraceSource {
    /** The suffix of the names of trace files. */
    public static final String SUFFIX = ".htfs";

    private record Head(TraceEvent event, int file) {}

    private final List<TraceFileReader> readers;
    private long unreadable;
    private @Nullable CorruptTraceException refusal;
    private final PriorityQueue<Head> heads = new PriorityQueue<>(
            Comparator.comparingLong((Head head) -> head.event().wallNanos()).thenComparingInt(Head::file));

    private TraceFiles(List<TraceFileReader> readers) {
        this.readers = readers;
    }

    /**
     * Returns the attributes of a file or directory that only its user may use: traces name files and users. Empty
     * where the file system has no modes.
     */
    static FileAttribute<?>[] ownersAlone(Path path, String mode) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    /**
     * Opens files, and those below directories whose names end in {@value #SUFFIX}, in the order of their names. It
     * leaves out and counts a file that is no trace, or of another version, when it can read others.
     *
     * @throws CorruptTraceException naming a file that is no trace, when none is one
     * @throws IllegalArgumentException without any file
     */
    public static TraceFiles open(List<Path> paths) throws IOException {
        List<TraceFileReader> readers = new ArrayList<>();
        TraceFiles opened = new TraceFiles(readers);
        try {
            for (Path file : expand(paths)) {
                opened.openFile(file);
            }
            if (readers.isEmpty() && opened.refusal != null) {
                throw opened.refusal;
            }
            for (int i = 0; i < readers.size(); i++) {
                opened.advance(i);
            }
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private void openFile(Path file) throws IOException {
        try {
            readers.add(TraceFileReader.open(file));
        } catch (CorruptTraceException e) {
            unreadable++;
            refusal = e;
        }
    }

    /** Returns the files that {@link #open} would read. */
    public static List<Path> expand(List<Path> paths) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path path : paths) {
            if (!Files.isDirectory(path)) {
                files.add(path);
                continue;
            }
            try (Stream<Path> below = Files.walk(path)) {
                below.filter(file -> file.toString().endsWith(SUFFIX)).sorted().forEach(files::add);
            }
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException("no trace files (*%s) in %s".formatted(SUFFIX, paths));
        }
        return files;
    }

    private void advance(int file) throws IOException {
        readers.get(file).next().ifPresent(event -> heads.add(new Head(event, file)));
    }

    @Override
    public Optional<TraceEvent> next() throws IOException {
        Head head = heads.poll();
        if (head == null) {
            return Optional.empty();
        }
        advance(head.file());
        return Optional.of(head.event());
    }

    /** Returns the version that a file must have to hold the events of all these; 1 or 2. */
    public int version() {
        return readers.stream().mapToInt(TraceFileReader::version).max().orElse(TraceLayout.VERSION_1);
    }

    /** Returns the report about all files together. */
    public TraceReport report() {
        TraceReport others = new TraceReport(0, 0, 0, 0, 0, 0, unreadable, false);
        return readers.stream().map(TraceFileReader::report).reduce(others, TraceReport::plus);
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (TraceFileReader reader : readers) {
            try {
                reader.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
