// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.blob.AdoptedObject;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobVerifier;
import io.packing.blob.BlobWriter;
import io.packing.blob.ChecksummedSource;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileRangeSource;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.blob.VerifiedBlob;
import io.packing.store.ExclusivePut;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * A new blob of adopted files: its extents name objects of others, or have bytes of files that were adopted before. A recovery reads
 * it like any other blob. Confined to one thread.
 */
final class AdoptionBlob implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;
    private final BlobWriter writer;
    private final List<PackedFile> files = new ArrayList<>();

    /** A blob in the store, and the places of its files. */
    record Pushed(PushedBlob blob, List<CommittedFile> files) {}

    /** @param file that does not exist, in a directory of this user alone; it is removed in the end */
    AdoptionBlob(Path file) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        this.writer = new BlobWriter(channel, Codec.NONE);
    }

    /**
     * Adds an object.
     *
     * @param named the file that it becomes, without extents
     */
    void add(PackedFile named, String bucket, ObjectInfo object) throws IOException {
        List<Extent> extents = new ArrayList<>();
        if (object.length() > 0) {
            ByteBuffer stored = new AdoptedObject(bucket, object.key(), object.version(), object.length()).encode();
            for (long at = 0; at < object.length(); at += Extent.MAX_LENGTH) {
                int length = (int) Math.min(Extent.MAX_LENGTH, object.length() - at);
                Extent extent = new ExtentCodec.Stored(Codec.ADOPTED, stored).at(at, length, writer.position());
                extents.add(writer.copy(extent, stored.duplicate()));
            }
        }
        files.add(new PackedFile(named.version(), named.path(), named.attributes(), extents));
    }

    /** Adds a file with its bytes, of one extent. */
    void pack(PackedFile named, ByteBuffer bytes) throws IOException {
        Extent extent = writer.append(0, bytes);
        files.add(new PackedFile(named.version(), named.path(), named.attributes(), List.of(extent)));
    }

    /** Returns the number of files so far. */
    int files() {
        return files.size();
    }

    /** Returns the number of bytes so far. */
    long bytes() {
        return writer.position();
    }

    /**
     * Completes, verifies and pushes the blob.
     *
     * @param micros gives times for its name
     */
    Pushed push(ObjectStore store, String worker, LongSupplier micros) throws IOException {
        FinishedBlob finished = writer.finish(files);
        ChecksummedSource source = new ChecksummedSource(new FileRangeSource(file.toString(), channel));
        VerifiedBlob verified = BlobVerifier.verify(source);
        if (verified.files() != files.size()) {
            throw new IOException("%s: %d files, want %d".formatted(file, verified.files(), files.size()));
        }
        OptionalInt crc32c = OptionalInt.of(source.crc32c());
        BlobName name = new BlobName(worker, finished.footerOffset(), micros.getAsLong());
        while (!ExclusivePut.put(store, BlobName.FOLDER + name.key(), file, crc32c)) {
            name = new BlobName(worker, finished.footerOffset(), micros.getAsLong());
        }
        BlobName pushed = name;
        List<CommittedFile> committed = files.stream()
                .map(each -> new CommittedFile(
                        each.version(),
                        each.extents().stream()
                                .map(extent -> new BlobExtent(pushed, extent))
                                .toList()))
                .toList();
        return new Pushed(new PushedBlob(pushed, finished.length(), finished.framing()), committed);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(file);
    }
}
