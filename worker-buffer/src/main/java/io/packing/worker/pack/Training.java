// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.blob.Dictionary;
import io.packing.blob.ZstdEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The training of a dictionary on a blob's own small files, if it pays: other files must shrink by more than the dictionary takes.
 */
public final class Training {
    /** The largest sample: larger files have enough bytes of their own to learn from. */
    static final int SMALL_BYTES = 64 << 10;

    /** The fewest bytes of small files: fewer hardly pay for a dictionary. */
    static final long LEAST_BYTES = 256 << 10;

    private static final int LEAST_FILES = 32;
    private static final int LEAST_DICTIONARY_BYTES = 4 << 10;
    private static final int MOST_DICTIONARY_BYTES = 64 << 10;
    /**
     * The bytes of files for each byte of a dictionary. Training takes some ten times as long as compression, so it
     * sees a fifth of a small blob, and less of others.
     */
    private static final int FILES_TO_DICTIONARY = 256;
    /**
     * The bytes of samples for each byte of a dictionary. The library asks for a hundred; half of that learns nearly as
     * much in half of the time.
     */
    private static final int SAMPLES_TO_DICTIONARY = 50;
    /** The number of samples of which one is kept for the test. */
    private static final int TESTED = 8;
    /** The compressed share of its bytes from which a file is noise, and teaches nothing. */
    private static final double NOISE = 0.95;
    /** The times that a dictionary must win back its own bytes, since it costs readers a request. */
    private static final int WORTH = 2;

    private Training() {}

    /** A file that training may read. */
    public interface Sample {
        /** Returns the bytes of the file. */
        long length();

        /** Reads the bytes; empty when the file is gone. */
        Optional<ByteBuffer> read() throws IOException;
    }

    /** Trains a dictionary for the files of a blob; empty when it does not pay. */
    public static Optional<Dictionary> dictionary(List<? extends Sample> files) throws IOException {
        List<Sample> small = new ArrayList<>();
        long bytes = 0;
        for (Sample file : files) {
            if (file.length() > 0 && file.length() <= SMALL_BYTES) {
                small.add(file);
                bytes += file.length();
            }
        }
        if (small.size() < LEAST_FILES || bytes < LEAST_BYTES) {
            return Optional.empty();
        }
        int size = (int) Math.min(MOST_DICTIONARY_BYTES, Math.max(LEAST_DICTIONARY_BYTES, bytes / FILES_TO_DICTIONARY));
        List<byte[]> trained = new ArrayList<>();
        List<byte[]> tested = new ArrayList<>();
        sample(small, bytes, (long) size * SAMPLES_TO_DICTIONARY, trained, tested);
        long length = tested.stream().mapToLong(sample -> sample.length).sum();
        long plain = stored(tested, Optional.empty());
        if (plain >= NOISE * length) {
            return Optional.empty();
        }
        double times = (double) bytes / length;
        return Dictionary.train(trained, size)
                .filter(dictionary ->
                        (plain - stored(tested, Optional.of(dictionary))) * times > WORTH * dictionary.sectionBytes());
    }

    /** Takes files from all over the list, since neighbours are alike. */
    private static void sample(List<Sample> files, long bytes, long wanted, List<byte[]> trained, List<byte[]> tested)
            throws IOException {
        int step = (int) Math.max(1, bytes / wanted);
        int taken = 0;
        for (int at = 0; at < files.size(); at += step) {
            Optional<ByteBuffer> content = files.get(at).read();
            if (content.isPresent()) {
                byte[] sample = new byte[content.get().remaining()];
                content.get().get(sample);
                taken++;
                (taken % TESTED == 0 ? tested : trained).add(sample);
            }
        }
    }

    /** Returns the compressed bytes of the samples. */
    private static long stored(List<byte[]> samples, Optional<Dictionary> dictionary) {
        long bytes = 0;
        try (ZstdEncoder encoder = new ZstdEncoder(dictionary)) {
            for (byte[] sample : samples) {
                bytes += encoder.encode(ByteBuffer.wrap(sample)).bytes().remaining();
            }
        }
        return bytes;
    }
}
