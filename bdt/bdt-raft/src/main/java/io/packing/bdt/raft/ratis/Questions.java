// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import io.packing.bdt.raft.group.Checkpoint;
import io.packing.bdt.raft.group.ReplicatedTables;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The questions of members to the leader beside the log: its state, and its tables page by page. A question begins with
 * a byte for its kind. If needed, the number of a checkpoint, the name of a folder and the number of a page follow. A
 * repeated question gets an equal answer, since the first one may have been lost.
 */
final class Questions implements AutoCloseable {
    static final int STATE = 1;
    static final int OPEN = 2;
    static final int PAGE = 3;
    static final int CLOSE = 4;
    /** Asks how far a member has acknowledged the log; its id stands where other questions have a folder. */
    static final int ACKNOWLEDGED = 5;
    /** Asks for the commit index that a member reported to this one; its id stands where other questions have a folder. */
    static final int REPORTED = 6;

    private static final Logger LOG = LoggerFactory.getLogger(Questions.class);
    private static final int MOST_OPEN = 4;
    private static final long MOST_IDLE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final ReplicatedTables tables;
    private final Followers followers;
    private final LongSupplier nanos;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "bdt-checkpoints");
        made.setDaemon(true);
        return made;
    });
    /** The open checkpoints; this field and those below are confined to the thread. */
    private final Map<Long, Open> open = new HashMap<>();

    private long last;

    private static final class Open {
        private final Checkpoint checkpoint;
        private long asked;

        private Open(Checkpoint checkpoint, long asked) {
            this.checkpoint = checkpoint;
            this.asked = asked;
        }
    }

    Questions(ReplicatedTables tables, Followers followers, LongSupplier nanos) {
        this.tables = tables;
        this.followers = followers;
        this.nanos = nanos;
    }

    static Message question(int kind, long checkpoint, String folder, int page) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(kind);
            out.writeLong(checkpoint);
            out.writeUTF(folder);
            out.writeInt(page);
        }
        return Message.valueOf(ByteString.copyFrom(bytes.toByteArray()));
    }

    CompletableFuture<Message> answer(Message question) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return Message.valueOf(
                                ByteString.copyFrom(answer(question.getContent().toByteArray())));
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                thread);
    }

    private byte[] answer(byte[] question) throws IOException {
        closeIdle();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(question))) {
            int kind = in.readUnsignedByte();
            long checkpoint = in.readLong();
            String folder = in.readUTF();
            int page = in.readInt();
            return switch (kind) {
                case STATE -> tables.state().withoutTexts().encode().getBytes(StandardCharsets.UTF_8);
                case OPEN -> open();
                case PAGE -> page(checkpoint, folder, page);
                case CLOSE -> close(checkpoint);
                case ACKNOWLEDGED -> bytes(followers.acknowledgedIndex(folder));
                case REPORTED -> bytes(followers.reportedCommitIndex(folder));
                default -> throw new IOException("a question of kind " + kind);
            };
        }
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private byte[] open() throws IOException {
        if (open.size() >= MOST_OPEN) {
            throw new IOException("%d members fetch tables at this time; ask again".formatted(MOST_OPEN));
        }
        Checkpoint checkpoint = tables.checkpoint();
        open.put(++last, new Open(checkpoint, nanos.getAsLong()));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(last);
            out.write(checkpoint.state().encode().getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private byte[] page(long number, String folder, int page) throws IOException {
        Open found = open.get(number);
        if (found == null) {
            throw new IOException("checkpoint %d is not open any more; begin again".formatted(number));
        }
        found.asked = nanos.getAsLong();
        return found.checkpoint.page(folder, page);
    }

    private byte[] close(long number) throws IOException {
        Open found = open.remove(number);
        if (found != null) {
            found.checkpoint.close();
        }
        return new byte[0];
    }

    private void closeIdle() throws IOException {
        long now = nanos.getAsLong();
        for (Long number : open.entrySet().stream()
                .filter(each -> now - each.getValue().asked > MOST_IDLE_NANOS)
                .map(Map.Entry::getKey)
                .toList()) {
            byte[] unused = close(number);
        }
    }

    private void closeOpen() {
        for (Open each : open.values()) {
            try {
                each.checkpoint.close();
            } catch (IOException e) {
                LOG.warn("a checkpoint could not be closed", e);
            }
        }
        open.clear();
    }

    /** Closes all checkpoints: their readers ask the next leader. */
    void end() {
        try {
            CompletableFuture.runAsync(this::closeOpen, thread).join();
        } catch (RuntimeException e) {
            LOG.debug("no checkpoints are open any more", e);
        }
    }

    @Override
    public void close() {
        end();
        thread.shutdown();
    }
}
