// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.totalcow;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kernel's cache of the pages of files. It is read through a file that is open already, by {@code mincore}: an open, as by {@code
 * fincore}, makes the kernel drop the pages of a file of FUSE that has changed.
 */
final class KernelPages {
    private static final int PAGE = 4096;

    private KernelPages() {}

    /** Maps an open file of at most 2 GB. A later {@code stat} may make the kernel drop pages, so this comes before what is measured. */
    static MappedByteBuffer map(FileChannel file) throws IOException {
        return file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
    }

    /** Returns the cached bytes of a mapped file, in whole pages. */
    static long bytes(MappedByteBuffer mapped) {
        long bytes = 0;
        for (int at = 0; at < mapped.capacity(); at += PAGE) {
            MappedByteBuffer page = mapped.slice(at, Math.min(PAGE, mapped.capacity() - at));
            bytes += page.isLoaded() ? PAGE : 0;
        }
        return bytes;
    }

    /** Returns all files below a local directory. */
    static Set<Path> filesBelow(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).collect(Collectors.toSet());
        }
    }

    /** Returns the cached bytes of files of the local disk, of which some may have gone. */
    static long bytes(Set<Path> files) throws IOException {
        long bytes = 0;
        for (Path each : files) {
            try (FileChannel file = FileChannel.open(each, StandardOpenOption.READ)) {
                bytes += file.size() == 0 ? 0 : bytes(map(file));
            } catch (NoSuchFileException e) {
                // A server deletes the file of bytes that it has published.
            }
        }
        return bytes;
    }

    /** Writes back what is dirty of a file, and evicts its pages. */
    static void evict(Path file) throws IOException, InterruptedException {
        run(List.of(
                "dd",
                "if=/dev/null",
                "of=" + file,
                "oflag=nocache",
                "conv=notrunc,fdatasync",
                "count=0",
                "status=none"));
    }

    /** Runs a program to its end. */
    static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException("%s ended with %d: %s".formatted(String.join(" ", command), exit, text.strip()));
        }
    }
}
