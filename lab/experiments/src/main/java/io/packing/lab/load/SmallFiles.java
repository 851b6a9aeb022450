// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.load;

import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongFunction;

/**
 * Numbered small files of one size in a mount.
 *
 * @param root the directory that has them all
 * @param size of each, in bytes
 * @param window files that one client has under way at once
 * @param contents the bytes of a number
 */
public record SmallFiles(String root, int size, int window, LongFunction<ByteBuffer> contents) {
    private static final long MEMORY = 32 << 20;
    private static final CreateOptions CREATE = new CreateOptions("hdfs", "hadoop", 0644, true, true);

    /** Returns the number of files that a client has under way: at most so many, and fewer if all clients would hold too many bytes. */
    public static int window(int most, int clients, int size) {
        return (int) Math.max(1, Math.min(most, MEMORY / clients / size));
    }

    /** A thousand files a directory. */
    public FilePath path(long number) {
        // Millions of these are made while the clock runs: no format is parsed for them.
        return new FilePath("/" + root + "/d" + digits(number / 1_000, 4) + "/f" + digits(number, 9));
    }

    private static String digits(long number, int least) {
        String digits = Long.toString(number);
        return "0".repeat(Math.max(0, least - digits.length())) + digits;
    }

    /** Writes what one client is given; all of it is acknowledged when this returns. */
    public void write(RemotePackingFileSystem mount, Clients.Numbers numbers) throws IOException {
        Deque<CompletableFuture<?>> underWay = new ArrayDeque<>();
        try {
            for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                underWay.add(mount.put(path(number), contents.apply(number), CREATE));
                if (underWay.size() == window) {
                    underWay.remove().get();
                }
            }
            while (!underWay.isEmpty()) {
                underWay.remove().get();
            }
        } catch (ExecutionException e) {
            throw Clients.failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted", e);
        }
    }

    /** Reads what one client is given, and returns how many have the bytes that were written. */
    public long verify(RemotePackingFileSystem mount, Clients.Numbers numbers) throws IOException {
        long verified = 0;
        for (long number = numbers.next(); number >= 0; number = numbers.next()) {
            ByteBuffer bytes = ByteBuffer.allocate(size);
            try (PackingInput in = mount.open(path(number))) {
                while (bytes.hasRemaining() && in.read(bytes.position(), bytes) >= 0) {
                    // Reads on.
                }
            }
            verified += bytes.flip().equals(contents.apply(number)) ? 1 : 0;
        }
        return verified;
    }
}
