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

    /** Bytes that grow. A test may have a thousand disks, so they are copied only when they change. */
    private static final class Content {
        private byte[] bytes;
        private int length;
        private boolean own;

        Content(byte[] bytes) {
            this.bytes = bytes;
            this.length = bytes.length;
        }

        void apply(Write write) {
            if (!own) {
                bytes = bytes.clone();
                own = true;
            }
            if (write.truncation) {
                Arrays.fill(bytes, (int) write.at, length, (byte) 0);
                length = (int) write.at;
                return;
            }
            int end = Math.toIntExact(write.at + write.bytes.length);
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
            }
            System.arraycopy(write.bytes, 0, bytes, (int) write.at, write.bytes.length);
            length = Math.max(length, end);
        }

        byte[] toBytes() {
            return Arrays.copyOf(bytes, length);
        }
    }

    private final Content content;
    /** The bytes on stable storage, to which a force applies the writes since the last one: a copy of all would be slow. */
    private final Content forced;

    private final List<Write> since = new ArrayList<>();

    /** @param content that no other code changes */
    FileNode(byte[] content) {
        this.content = new Content(content);
        this.forced = new Content(content);
    }

    int length() {
        return content.length;
    }

    byte[] bytes() {
        return content.toBytes();
    }

    int read(long at, byte[] into) {
        if (at >= content.length) {
            return -1;
        }
        int count = (int) Math.min(into.length, content.length - at);
        System.arraycopy(content.bytes, (int) at, into, 0, count);
        return count;
    }

    void write(long at, byte[] bytes) {
        change(new Write(at, bytes, false));
    }

    void truncate(long to) {
        if (to < content.length) {
            change(new Write(to, new byte[0], true));
        }
    }

    private void change(Write write) {
        since.add(write);
        content.apply(write);
    }

    void force() {
        since.forEach(forced::apply);
        since.clear();
    }

    @Override
    public FileNode afterLoss(Loss loss, RandomGenerator random) {
        return switch (loss) {
            case ALL -> new FileNode(forced.toBytes());
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
        FileNode node = new FileNode(forced.toBytes());
        int shortest = Math.min(content.length, forced.length);
        node.truncate(shortest);
        if (content.length > shortest) {
            node.write(shortest, new byte[content.length - shortest]);
        }
        return new FileNode(node.bytes());
    }

    private FileNode torn(RandomGenerator random) {
        FileNode node = new FileNode(forced.toBytes());
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
        FileNode node = new FileNode(forced.toBytes());
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

    /** Makes a change of another file, of which earlier changes may be missing here. */
    private void apply(Write write) {
        if (write.truncation) {
            truncate(write.at);
        } else {
            write(write.at, write.bytes);
        }
    }
}
