// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** A file: its bytes as processes see them, those on stable storage, and the writes between the two. */
final class FileNode implements DiskNode {
    private static final int SECTOR = 512;

    /** A write of bytes, or a truncation. */
    private static final class Write {
        private final long at;
        private final byte[] bytes;
        private final boolean truncation;

        Write(long at, byte[] bytes, boolean truncation) {
            this.at = at;
            this.bytes = bytes;
            this.truncation = truncation;
        }
    }

    private byte[] content;
    private int length;
    private byte[] forced;
    private final List<Write> since = new ArrayList<>();

    FileNode(byte[] content) {
        this.content = content.clone();
        this.length = content.length;
        this.forced = content.clone();
    }

    int length() {
        return length;
    }

    byte[] bytes() {
        return Arrays.copyOf(content, length);
    }

    int read(long at, byte[] into) {
        if (at >= length) {
            return -1;
        }
        int count = (int) Math.min(into.length, length - at);
        System.arraycopy(content, (int) at, into, 0, count);
        return count;
    }

    void write(long at, byte[] bytes) {
        since.add(new Write(at, bytes, false));
        int end = Math.toIntExact(at + bytes.length);
        if (end > content.length) {
            content = Arrays.copyOf(content, Math.max(end, 2 * content.length));
        }
        System.arraycopy(bytes, 0, content, (int) at, bytes.length);
        length = Math.max(length, end);
    }

    void truncate(long to) {
        if (to < length) {
            since.add(new Write(to, new byte[0], true));
            Arrays.fill(content, (int) to, length, (byte) 0);
            length = (int) to;
        }
    }

    void force() {
        forced = bytes();
        since.clear();
    }

    @Override
    public FileNode afterLoss(Loss loss, RandomGenerator random) {
        return switch (loss) {
            case ALL -> new FileNode(forced);
            case NOTHING -> new FileNode(bytes());
            case ZEROS -> random.nextBoolean() ? new FileNode(bytes()) : zeroed();
            case TORN -> torn(random);
            case REORDERED -> reordered(random);
        };
    }

    /**
     * Returns the file after a loss that kept its length with its name, but not its bytes: bytes that were not forced
     * read as zeros.
     */
    private FileNode zeroed() {
        FileNode node = new FileNode(forced);
        int shortest = Math.min(length, forced.length);
        node.truncate(shortest);
        if (length > shortest) {
            node.write(shortest, new byte[length - shortest]);
        }
        return new FileNode(node.bytes());
    }

    private FileNode torn(RandomGenerator random) {
        FileNode node = new FileNode(forced);
        int kept = since.isEmpty() ? 0 : random.nextInt(since.size() + 1);
        for (int i = 0; i < kept; i++) {
            node.apply(since.get(i));
        }
        if (kept < since.size() && !since.get(kept).truncation) {
            Write last = since.get(kept);
            node.write(last.at, Arrays.copyOf(last.bytes, random.nextInt(last.bytes.length + 1)));
        }
        return new FileNode(node.bytes());
    }

    private FileNode reordered(RandomGenerator random) {
        FileNode node = new FileNode(forced);
        for (Write write : since) {
            if (write.truncation) {
                if (random.nextBoolean()) {
                    node.apply(write);
                }
                continue;
            }
            for (int from = 0; from < write.bytes.length; ) {
                int to = Math.min(write.bytes.length, from + SECTOR - (int) ((write.at + from) % SECTOR));
                if (random.nextBoolean()) {
                    node.write(write.at + from, Arrays.copyOfRange(write.bytes, from, to));
                }
                from = to;
            }
        }
        return new FileNode(node.bytes());
    }

    private void apply(Write write) {
        if (write.truncation) {
            truncate(write.at);
        } else {
            write(write.at, write.bytes);
        }
    }
}
