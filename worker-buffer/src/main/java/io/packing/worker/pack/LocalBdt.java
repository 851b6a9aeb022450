package io.packing.worker.pack;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileVersion;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The worker-local blob descriptor table (§6.2), shared by all mounts of the process: what is pushed and not yet
 * committed at the master, by file version. A restart sends it again.
 */
public final class LocalBdt {
    // Keys: 'f' mount / file id, 'b' mount / blob name. Values as in encode().
    private final SortedStore store;
    private final String mount;

    public LocalBdt(SortedStore store, String mount) {
        this.store = store;
        this.mount = mount;
    }

    /** Keeps the outcome of a push until {@link #committed}. */
    public void pushed(List<PushedBlob> blobs, List<CommittedFile> files) throws IOException {
        if (blobs.isEmpty() && files.isEmpty()) {
            return;
        }
        WriteBatch batch = new WriteBatch();
        for (PushedBlob blob : blobs) {
            batch.put(blobKey(blob), Long.toString(blob.length()).getBytes(StandardCharsets.US_ASCII));
        }
        for (CommittedFile file : files) {
            batch.put(fileKey(file), encode(file));
        }
        // Before the heartbeat, hence synced: what the master knows must never be packed twice after power loss.
        store.write(batch, SortedStore.Sync.FSYNC);
    }

    public void committed(List<PushedBlob> blobs, List<CommittedFile> files) throws IOException {
        WriteBatch batch = new WriteBatch();
        blobs.forEach(blob -> batch.delete(blobKey(blob)));
        files.forEach(file -> batch.delete(fileKey(file)));
        store.write(batch, SortedStore.Sync.NONE);
    }

    /** Blobs that were pushed and not committed. */
    public List<PushedBlob> blobs() throws IOException {
        List<PushedBlob> found = new ArrayList<>();
        String prefix = "b" + mount + "/";
        try (Cursor cursor = scan(prefix)) {
            while (cursor.next()) {
                String name = new String(cursor.key(), StandardCharsets.UTF_8).substring(prefix.length());
                long length = Long.parseLong(new String(cursor.value(), StandardCharsets.US_ASCII));
                found.add(new PushedBlob(BlobName.parse(name), length));
            }
        }
        return found;
    }

    /** Files that were pushed and not committed. */
    public List<CommittedFile> files() throws IOException {
        List<CommittedFile> found = new ArrayList<>();
        try (Cursor cursor = scan("f" + mount + "/")) {
            while (cursor.next()) {
                found.add(decode(cursor.value()));
            }
        }
        return found;
    }

    /** Extents of a version that is pushed and not committed yet. */
    public Optional<CommittedFile> find(FileVersion version) throws IOException {
        Optional<byte[]> value = store.get(fileKey(new CommittedFile(version, List.of())));
        if (value.isEmpty()) {
            return Optional.empty();
        }
        CommittedFile file = decode(value.get());
        return file.version().equals(version) ? Optional.of(file) : Optional.empty();
    }

    private Cursor scan(String prefix) throws IOException {
        byte[] from = prefix.getBytes(StandardCharsets.UTF_8);
        byte[] to = from.clone();
        to[to.length - 1]++;
        return store.scan(from, to);
    }

    private byte[] blobKey(PushedBlob blob) {
        return ("b" + mount + "/" + blob.name()).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] fileKey(CommittedFile file) {
        return ("f" + mount + "/" + HexFormat.of().toHexDigits(file.version().id())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] encode(CommittedFile file) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(file.version().id());
            out.writeLong(file.version().generation());
            out.writeInt(file.extents().size());
            for (BlobExtent at : file.extents()) {
                Extent extent = at.extent();
                out.writeUTF(at.blob().toString());
                out.writeLong(extent.fileOffset());
                out.writeInt(extent.length());
                out.writeLong(extent.blobOffset());
                out.writeInt(extent.storedLength());
                out.writeUTF(extent.codec().name());
                out.writeInt(extent.crc32c());
            }
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    private static CommittedFile decode(byte[] value) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
            FileVersion version = new FileVersion(in.readLong(), in.readLong());
            int count = in.readInt();
            List<BlobExtent> extents = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                BlobName blob = BlobName.parse(in.readUTF());
                extents.add(new BlobExtent(
                        blob,
                        new Extent(
                                in.readLong(),
                                in.readInt(),
                                in.readLong(),
                                in.readInt(),
                                Codec.valueOf(in.readUTF()),
                                in.readInt())));
            }
            return new CommittedFile(version, extents);
        }
    }
}
