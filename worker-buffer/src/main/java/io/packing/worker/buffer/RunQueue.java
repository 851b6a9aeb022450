// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The number of threads that run or wait for a processor now, of all processes, as Linux counts them (proc(5), the
 * fourth field of {@code /proc/loadavg}). On other systems it counts the calling thread only. Confined to one thread.
 */
final class RunQueue implements Closeable {
    private static final Pattern LOADAVG = Pattern.compile("\\S+ \\S+ \\S+ (\\d{1,9})/.*\\s*");
    private static final Pattern PROCESSOR = Pattern.compile("cpu\\d+ .*");

    private final Optional<RandomAccessFile> loadavg;
    private final int processors;
    private final byte[] line = new byte[128];

    /** @param proc {@code /proc} */
    RunQueue(Path proc) {
        int count = 0;
        Optional<RandomAccessFile> opened = Optional.empty();
        try (Stream<String> lines = Files.lines(proc.resolve("stat"))) {
            count = (int) lines.filter(PROCESSOR.asMatchPredicate()).count();
            opened = Optional.of(new RandomAccessFile(proc.resolve("loadavg").toFile(), "r"));
        } catch (IOException | UncheckedIOException e) {
            // This is not Linux.
        }
        loadavg = opened;
        processors = count;
    }

    /** Returns whether other threads keep at least all processors but one busy. */
    boolean isLong() {
        return loadavg.isPresent() && running(loadavg.get()) >= Math.max(processors, 2);
    }

    /** Returns the number of running threads, with the calling one. */
    private int running(RandomAccessFile file) {
        try {
            file.seek(0);
            int length = Math.max(0, file.read(line));
            Matcher matcher = LOADAVG.matcher(new String(line, 0, length, StandardCharsets.US_ASCII));
            return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 1;
        } catch (IOException e) {
            return 1;
        }
    }

    @Override
    public void close() {
        loadavg.ifPresent(file -> {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
