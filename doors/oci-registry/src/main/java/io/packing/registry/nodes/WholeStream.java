// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.registry.files.BulkInputStream;
import io.packing.registry.oci.Digest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A whole layer from the first P-server of its ring that answers; the next one goes on where one falls silent. Confined to one thread. */
final class WholeStream extends BulkInputStream {
    private final Cluster cluster;
    private final Digest digest;
    private final long length;
    private final Deque<String> left;
    private long position;
    private Optional<InputStream> now = Optional.empty();

    WholeStream(Cluster cluster, Digest digest, long length, long position) {
        this.cluster = cluster;
        this.digest = digest;
        this.length = length;
        this.position = position;
        this.left = new ArrayDeque<>(cluster.primaries(digest.toString()));
    }

    /** Opens a copy; {@link FileNotFoundException} when all fail. */
    void start() throws FileNotFoundException {
        while (now.isEmpty()) {
            String name = left.poll();
            if (name == null) {
                throw new FileNotFoundException("no node that answers has blob %s whole".formatted(digest));
            }
            if (cluster.lives(name)) {
                try {
                    now = Optional.of(cluster.ask(name, node -> node.layer(digest, position)));
                } catch (IOException e) {
                    // The next one may have it.
                }
            }
        }
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        while (position < length) {
            start();
            try {
                int n = now.orElseThrow().read(into, offset, (int) Math.min(count, length - position));
                if (n > 0) {
                    position += n;
                    return n;
                }
            } catch (IOException e) {
                // As if it had ended early: the next one goes on.
            }
            close();
        }
        return -1;
    }

    @Override
    public void close() {
        if (now.isPresent()) {
            try {
                now.get().close();
            } catch (IOException e) {
                // Nothing is read from it any more.
            }
            now = Optional.empty();
        }
    }
}
