// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Containers of one image, of which each runs its program, and what they cost together, to what the first one cost.
 *
 * @param containers how many
 * @param firstCachedBytes what the kernel's page cache has of the root of the first, when it has run
 * @param cachedRatio what it has of all roots, to that
 * @param firstReadBytes what the store gave for the first
 * @param readRatio what the store gave for all, to that
 */
public record SharedContainers(
        int containers,
        @JsonProperty("first_cached_bytes") long firstCachedBytes,
        @JsonProperty("page_cache_ratio") double cachedRatio,
        @JsonProperty("first_read_bytes") long firstReadBytes,
        @JsonProperty("store_reads_ratio") double readRatio) {
    /** Runs so many containers of an image that was pushed and never run. */
    static SharedContainers run(CloneSide ours, ImageSet.Image image, int containers, Path log)
            throws IOException, InterruptedException {
        long cached = 0;
        long firstCached = 0;
        long firstRead = 0;
        long before = ours.storeBytesRead();
        for (int i = 0; i < containers; i++) {
            ours.pull(image);
            // What is cached of the root already belongs to another container.
            long shared = cachedBytes(ours.pulledRoot());
            ContainerRun run = ContainerRun.of(ours.start(image), log, HelloProgram.of(image));
            ours.stop();
            if (run.exit() != 0) {
                throw new IOException(
                        "a container of %s ended with %d: %s".formatted(image.name(), run.exit(), run.said()));
            }
            cached += cachedBytes(ours.pulledRoot()) - shared;
            if (i == 0) {
                firstCached = cached;
                firstRead = ours.storeBytesRead() - before;
            }
        }
        long read = ours.storeBytesRead() - before;
        return new SharedContainers(
                containers, firstCached, (double) cached / firstCached, firstRead, (double) read / firstRead);
    }

    /** Bytes of the files below a directory that are in the page cache. */
    private static long cachedBytes(Path root) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        "sh",
                        "-c",
                        "find \"$1\" -xdev -type f -size +0 -print0 | xargs -0 -r fincore --bytes --noheadings --output res",
                        "sh",
                        root.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        long bytes = 0;
        try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                bytes += Long.parseLong(line.strip());
            }
        }
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException("fincore ended with " + exit);
        }
        return bytes;
    }
}
