// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.blob.FileVersion;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The extents of a table by their blobs, in temporary files of 32 bytes an extent: a table has them by directories, footers by
 * blobs. Confined to one thread while it is written; read by any.
 */
final class ExtentMarks implements AutoCloseable {
    private static final int BUFFER_BYTES = 32 << 10;
    private static final int FILES_PER_BUCKET = 50_000;
    private static final int MOST_BUCKETS = 512;

    private final List<Path> files = new ArrayList<>();
    private final List<DataOutputStream> buckets = new ArrayList<>();

    /** @param expected about how many files there are */
    ExtentMarks(Path directory, long expected) throws IOException {
        int count = (int) Math.max(4, Math.min(MOST_BUCKETS, expected / FILES_PER_BUCKET));
        for (int i = 0; i < count; i++) {
            Path file = directory.resolve("extents-" + i);
            files.add(file);
            buckets.add(new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)));
        }
    }

    void add(ExtentMark mark) throws IOException {
        DataOutputStream bucket = buckets.get((int) (mark.blob() % buckets.size()));
        bucket.writeLong(mark.blob());
        bucket.writeLong(mark.print());
        bucket.writeLong(mark.content() ? -mark.version().id() : mark.version().id());
        bucket.writeLong(mark.version().generation());
    }

    /** Takes no more from now on. */
    void finish() throws IOException {
        for (DataOutputStream bucket : buckets) {
            bucket.close();
        }
    }

    int buckets() {
        return buckets.size();
    }

    /** The extents of some blobs, by the blobs' numbers. */
    Map<Long, List<ExtentMark>> bucket(int number) throws IOException {
        Map<Long, List<ExtentMark>> byBlob = new LinkedHashMap<>();
        Path file = files.get(number);
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES))) {
            for (long left = Files.size(file) / (4 * Long.BYTES); left > 0; left--) {
                long blob = in.readLong();
                long print = in.readLong();
                long id = in.readLong();
                FileVersion version = new FileVersion(Math.abs(id), in.readLong());
                byBlob.computeIfAbsent(blob, each -> new ArrayList<>())
                        .add(new ExtentMark(blob, print, version, id < 0));
            }
        } catch (EOFException e) {
            throw new IOException(file + " became shorter while it was read", e);
        }
        return byBlob;
    }

    @Override
    public void close() throws IOException {
        finish();
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
