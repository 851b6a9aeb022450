// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerSession;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileVersion;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/** A worker that packs its files in several extents each, reports them to the master later, and reads by placements. */
final class ModelWorker {
    static final int EXTENT_BYTES = 7;

    private final MapObjects objects;
    private final Path work;
    private final Random random;
    /** The files in the buffer. */
    private final List<Reclaim> held = new ArrayList<>();

    private final List<Heartbeat> unreported = new ArrayList<>();
    /** The written bytes, by file id. */
    private final Map<Long, byte[]> written = new HashMap<>();

    private long timestamp = 1;

    ModelWorker(MapObjects objects, Path work, Random random) {
        this.objects = objects;
        this.work = work;
        this.random = random;
    }

    void hold(Reclaim file, byte[] bytes) {
        written.put(file.version().id(), bytes);
        held.add(file);
    }

    /** All that was ever written. */
    List<byte[]> written() {
        return List.copyOf(written.values());
    }

    /** Pushes some of what it holds. */
    void pushSome() throws IOException {
        List<Reclaim> some = new ArrayList<>();
        held.removeIf(file -> random.nextBoolean() && some.add(file));
        push(some);
    }

    void pushAll() throws IOException {
        List<Reclaim> all = List.copyOf(held);
        held.clear();
        push(all);
    }

    private void push(List<Reclaim> files) throws IOException {
        if (files.isEmpty()) {
            return;
        }
        Path file = Files.createTempFile(work, "blob", "");
        List<PackedFile> packed = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            for (Reclaim each : files) {
                byte[] bytes = written(each.version().id());
                List<Extent> extents = new ArrayList<>();
                for (int at = 0; at < bytes.length; at += EXTENT_BYTES) {
                    extents.add(
                            writer.append(at, ByteBuffer.wrap(bytes, at, Math.min(EXTENT_BYTES, bytes.length - at))));
                }
                packed.add(new PackedFile(each.version(), each.path(), each.attributes(), extents));
            }
            finished = writer.finish(packed);
        }
        BlobName name = new BlobName("w", finished.footerOffset(), timestamp++);
        objects.put(BlobName.FOLDER + name.key(), file, PutCondition.NONE);
        Files.delete(file);
        unreported.add(new Heartbeat(
                0,
                0,
                List.of(new PushedBlob(name, finished.length(), finished.framing())),
                packed.stream()
                        .map(each -> new CommittedFile(
                                each.version(),
                                each.extents().stream()
                                        .map(extent -> new BlobExtent(name, extent))
                                        .toList()))
                        .toList()));
    }

    /** Tells the master of what was pushed. */
    void report(WorkerSession session) throws IOException {
        for (Heartbeat heartbeat : unreported) {
            for (long over : session.heartbeat(heartbeat).drop()) {
                held.removeIf(file -> file.version().id() == over);
            }
        }
        unreported.clear();
    }

    /** Returns what is in the buffer now. */
    List<Reclaim> copy() {
        return List.copyOf(held);
    }

    /** Has an older copy of the buffer from now on. */
    void goBack(List<Reclaim> older) {
        held.clear();
        held.addAll(older);
    }

    /** The master that should be told is no more; the next one reads it from the store. */
    void reportNothing() {
        unreported.clear();
    }

    /** After a registration: what the master does not know any more goes. */
    void reclaim(WorkerSession session) throws IOException {
        List<Optional<FileVersion>> kept = session.reclaim(held);
        session.reclaimed();
        for (int i = kept.size() - 1; i >= 0; i--) {
            if (kept.get(i).isEmpty()) {
                held.remove(i);
            }
        }
    }

    /** The bytes of a file, from the buffer and from blobs as the store has them. */
    byte[] read(LocatedFile file) throws IOException {
        int length = (int) file.status().attributes().length();
        ByteBuffer bytes = ByteBuffer.allocate(length);
        if (file.placement() instanceof Placement.Mapped mapped) {
            for (Placement.Piece piece : mapped.pieces()) {
                byte[] content = read(piece.content());
                bytes.put((int) piece.offset(), content, (int) piece.contentOffset(), (int) piece.length());
            }
        } else if (file.placement() instanceof Placement.Packed packed) {
            for (BlobExtent located : packed.extents()) {
                bytes.put(
                        (int) located.extent().fileOffset(),
                        extent(located),
                        0,
                        located.extent().length());
            }
        } else if (file.placement() instanceof Placement.Buffered) {
            long id = file.status().version().id();
            boolean buffered = held.stream().anyMatch(each -> each.version().id() == id)
                    || unreported.stream()
                            .flatMap(heartbeat -> heartbeat.files().stream())
                            .anyMatch(each -> each.version().id() == id);
            assertThat(buffered)
                    .as("version %s is in the buffer", file.status().version())
                    .isTrue();
            bytes.put(0, written(id));
        } else {
            throw new AssertionError("%s is %s".formatted(file.status(), file.placement()));
        }
        return bytes.array();
    }

    private byte[] extent(BlobExtent located) throws IOException {
        Extent extent = located.extent();
        ByteBuffer stored =
                objects.get(BlobName.FOLDER + located.blob().key(), extent.blobOffset(), extent.storedLength());
        ByteBuffer decoded = ExtentCodec.decode(located.blob().toString(), extent, stored);
        byte[] bytes = new byte[extent.length()];
        decoded.get(bytes);
        return bytes;
    }

    private byte[] written(long id) {
        return Objects.requireNonNull(written.get(id), "what was written as " + id);
    }
}
