// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.files.PartedFile;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Uploads under way, as files of the mount: any process may take any chunk. Thread-safe. */
public final class Uploads {
    private static final int BUFFER = 256 << 10;
    private static final int PAGE = 1_000;
    /** Chunks of an upload: each is an operation of the vector that ends it. */
    private static final int MOST_CHUNKS = 50_000;

    private final RegistryFiles files;
    private final Layout layout;
    private final Blobs blobs;
    private final ReadAhead readAhead;
    private final Supplier<String> ids;
    private final RunningHashes hashes = new RunningHashes();

    /** @param ids gives unique names */
    public Uploads(RegistryFiles files, Layout layout, Blobs blobs, ReadAhead readAhead, Supplier<String> ids) {
        this.files = files;
        this.layout = layout;
        this.blobs = blobs;
        this.readAhead = readAhead;
        this.ids = ids;
    }

    /** Starts an upload; returns its id. */
    public String begin(String repository) throws IOException {
        String id = ids.get();
        VectorResult result = files.apply(
                new VectorBuilder().directory(layout.upload(repository, id)).build());
        if (result instanceof VectorResult.Refused refused) {
            throw new IOException("no upload to %s can begin: %s".formatted(repository, refused.reason()));
        }
        return id;
    }

    /** Returns the number of bytes of an upload. */
    public long offset(String repository, String id) throws IOException, OciException {
        return end(chunks(repository, id));
    }

    private List<FileStatus> chunks(String repository, String id) throws IOException, OciException {
        List<FileStatus> all = new ArrayList<>();
        String after = "";
        for (boolean more = true; more; ) {
            Optional<List<FileStatus>> page = files.list(layout.upload(repository, id), after, PAGE);
            if (page.isEmpty()) {
                throw unknown(id);
            }
            all.addAll(page.get());
            more = page.get().size() == PAGE;
            after = all.isEmpty() ? "" : all.get(all.size() - 1).path().name();
        }
        return all;
    }

    private static long end(List<FileStatus> chunks) {
        if (chunks.isEmpty()) {
            return 0;
        }
        FileStatus last = chunks.get(chunks.size() - 1);
        return Long.parseLong(last.path().name()) + last.attributes().length();
    }

    private static OciException unknown(String id) {
        return new OciException(OciCode.BLOB_UPLOAD_UNKNOWN, "there is no upload %.100s; begin another".formatted(id));
    }

    /**
     * Takes the next chunk; of a body that ends early nothing is kept.
     *
     * @param from where the chunk says it begins; empty: it does not say
     * @return how many bytes the upload has then
     * @throws OciException {@link OciCode#BLOB_UPLOAD_INVALID} with status 416 when that is not the end of those before it
     */
    public long append(String repository, String id, Optional<Long> from, InputStream body)
            throws IOException, OciException {
        List<FileStatus> chunks = chunks(repository, id);
        long offset = end(chunks);
        if (from.isPresent() && from.get() != offset) {
            throw outOfOrder(id, offset);
        }
        if (chunks.size() >= MOST_CHUNKS) {
            throw OciException.tooLarge(
                    OciCode.BLOB_UPLOAD_INVALID,
                    "an upload has at most %,d chunks; send larger ones".formatted(MOST_CHUNKS));
        }
        // Without the hash of the chunks before, the end of the upload reads all chunks.
        Optional<MessageDigest> hasher =
                offset == 0 ? Optional.of(Digest.Algorithm.SHA256.hasher()) : hashes.take(id, offset);
        long count = receive(chunk(repository, id, offset), body, hasher, offset, id);
        hasher.ifPresent(known -> hashes.put(id, new RunningHashes.Running(known, offset + count)));
        return offset + count;
    }

    private FilePath chunk(String repository, String id, long offset) {
        return layout.upload(repository, id).child("%020d".formatted(offset));
    }

    private static OciException outOfOrder(String id, long offset) {
        return OciException.range(
                OciCode.BLOB_UPLOAD_INVALID, "the next byte of upload %s is %d".formatted(id, offset), id);
    }

    /** Writes a body to a file; an empty one makes none. */
    private long receive(FilePath path, InputStream body, Optional<MessageDigest> hasher, long offset, String id)
            throws IOException, OciException {
        byte[] buffer = new byte[BUFFER];
        PartedFile file = new PartedFile(files, layout, ids);
        boolean placed = false;
        try {
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                file.write(buffer, 0, n);
                update(hasher, buffer, n);
            }
            if (file.length() > 0) {
                file.finish();
                place(file, path, offset, id);
            }
            placed = true;
            return file.length();
        } finally {
            if (!placed) {
                file.abort();
            }
        }
    }

    private void place(PartedFile file, FilePath path, long offset, String id) throws IOException, OciException {
        VectorBuilder vector = new VectorBuilder();
        FilePath whole = file.addTo(vector);
        if (files.apply(vector.rename(whole, path, false).build()) instanceof VectorResult.Refused refused) {
            switch (refused.reason()) {
                case EXISTS -> throw outOfOrder(id, offset);
                // The upload was given up, or a collection took its oldest parts.
                case NO_PARENT, NOT_FOUND -> throw unknown(id);
                default ->
                    throw new IOException(
                            "a chunk of upload %s cannot be put in its place: %s".formatted(id, refused.reason()));
            }
        }
    }

    private static void update(Optional<MessageDigest> hasher, byte[] bytes, int count) {
        if (hasher.isPresent()) {
            hasher.get().update(bytes, 0, count);
        }
    }

    /**
     * Takes the last chunk, if the client sends one, and makes the bytes a blob of the repository. An upload with wrong
     * bytes is gone then.
     *
     * @return whether the blob was new
     * @throws OciException {@link OciCode#DIGEST_INVALID} when the bytes have another digest
     */
    public boolean finish(String repository, String id, Optional<Long> from, InputStream body, Digest digest)
            throws IOException, OciException {
        long length = append(repository, id, from, body);
        List<FileStatus> chunks = chunks(repository, id);
        Digest is = digestOf(repository, id, chunks, length, digest.algorithm());
        if (!is.equals(digest)) {
            cancel(repository, id);
            throw new OciException(
                    OciCode.DIGEST_INVALID,
                    "the %d bytes have digest %s, and should have %s; begin another upload"
                            .formatted(length, is, digest));
        }
        if (chunks.isEmpty()) {
            files.create(chunk(repository, id, 0)).close();
            chunks = chunks(repository, id);
        }
        List<FileStatus> parts = chunks;
        return blobs.admit(
                repository,
                digest,
                vector -> assemble(vector, parts),
                (vector, stored) -> vector.delete(layout.upload(repository, id)));
    }

    private static FilePath assemble(VectorBuilder vector, List<FileStatus> chunks) {
        FilePath first = chunks.get(0).path();
        long end = chunks.get(0).attributes().length();
        for (FileStatus chunk : chunks.subList(1, chunks.size())) {
            long length = chunk.attributes().length();
            vector.add(new Operation.CloneRange(new ByteRange(chunk.path(), 0, length), first, end));
            end += length;
        }
        return first;
    }

    private Digest digestOf(
            String repository, String id, List<FileStatus> chunks, long length, Digest.Algorithm algorithm)
            throws IOException {
        if (algorithm == Digest.Algorithm.SHA256) {
            Optional<MessageDigest> known = hashes.take(id, length);
            if (known.isPresent()) {
                return algorithm.of(known.get());
            }
        }
        MessageDigest hasher = algorithm.hasher();
        byte[] buffer = new byte[BUFFER];
        long position = 0;
        for (FileStatus chunk : chunks) {
            if (Long.parseLong(chunk.path().name()) != position) {
                throw new IOException("upload %s of %s has a hole at %d".formatted(id, repository, position));
            }
            position += chunk.attributes().length();
            try (InputStream bytes = readAhead.open(files.open(chunk.path()), 0)) {
                for (int n = bytes.read(buffer); n >= 0; n = bytes.read(buffer)) {
                    hasher.update(buffer, 0, n);
                }
            }
        }
        return algorithm.of(hasher);
    }

    /** Gives an upload up. */
    public void cancel(String repository, String id) throws IOException, OciException {
        VectorResult result = files.apply(
                new VectorBuilder().delete(layout.upload(repository, id)).build());
        if (result instanceof VectorResult.Refused) {
            throw unknown(id);
        }
    }
}
