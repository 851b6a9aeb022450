// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import com.google.common.io.CountingOutputStream;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.BulkInputStream;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** The blobs of all repositories, each stored once, and which repository has which. Thread-safe. */
public final class Blobs {
    private static final int ATTEMPTS = 16;

    private final RegistryFiles files;
    private final Layout layout;
    private final Rebuilder rebuilder;
    private final ReadAhead readAhead;
    private final Optional<WholeCopies> copies;

    public Blobs(RegistryFiles files, Layout layout, Rebuilder rebuilder, ReadAhead readAhead) {
        this(files, layout, rebuilder, readAhead, Optional.empty());
    }

    /** @param copies blobs that nodes have whole; empty: a registry without nodes */
    public Blobs(
            RegistryFiles files,
            Layout layout,
            Rebuilder rebuilder,
            ReadAhead readAhead,
            Optional<WholeCopies> copies) {
        this.copies = copies;
        this.files = files;
        this.layout = layout;
        this.rebuilder = rebuilder;
        this.readAhead = readAhead;
    }

    /** Returns whether a repository has a blob. */
    public boolean has(String repository, Digest digest) throws IOException {
        return files.stat(layout.link(repository, digest)).isPresent();
    }

    /** Returns a blob of a repository; empty when the repository does not have it. */
    public Optional<BlobContent> find(String repository, Digest digest) throws IOException {
        return has(repository, digest) ? find(digest) : Optional.empty();
    }

    /** Returns a blob of any repository. */
    public Optional<BlobContent> find(Digest digest) throws IOException {
        Optional<FileStatus> original = files.stat(layout.original(digest));
        // In this order: a recipe takes the place of the original, never the other way.
        long length;
        if (original.isPresent()) {
            length = original.get().attributes().length();
        } else {
            try {
                length = rebuilder.length(layout.recipe(digest));
            } catch (FileNotFoundException e) {
                return Optional.empty();
            }
        }
        Optional<Whole> whole = original.isPresent()
                ? Optional.of(position -> readAhead.open(files.open(layout.original(digest)), position))
                : copies.map(all -> position -> all.open(digest, length, position));
        return Optional.of(new BlobContent() {
            private volatile BlobSource source = whole.isPresent() ? BlobSource.INTACT : BlobSource.RESTORED;

            @Override
            public long length() {
                return length;
            }

            @Override
            public BlobSource source() {
                return source;
            }

            @Override
            public InputStream open(long position) throws IOException {
                BlobStream stream = new BlobStream(whole, digest, position);
                source = stream.whole.isPresent() ? BlobSource.INTACT : BlobSource.RESTORED;
                return stream;
            }
        });
    }

    /** Notes that a blob was read with other bytes than its digest says. */
    public void doubt(Digest digest) throws IOException {
        if (copies.isPresent()) {
            copies.get().doubt(digest, rebuilder.contents(layout.recipe(digest)));
        }
    }

    /** A blob as it was pushed. */
    private interface Whole {
        InputStream open(long position) throws IOException;
    }

    /** Opens all bytes of a blob of any repository; {@link FileNotFoundException} when it is not stored. */
    public InputStream stream(Digest digest) throws IOException {
        return find(digest)
                .orElseThrow(() -> new FileNotFoundException("there is no blob " + digest))
                .open(0);
    }

    /** Returns whether the blob is stored, in any form. */
    boolean isStored(Digest digest) throws IOException {
        return files.stat(layout.original(digest)).isPresent()
                || files.stat(layout.recipe(digest)).isPresent();
    }

    /**
     * Makes a blob part of a repository, and of the store when it is not there yet.
     *
     * @param assembled makes one file of the bytes, in the vector, and says where
     * @param rest removes the rest of them, in the vector
     * @return whether the blob was new
     */
    boolean admit(String repository, Digest digest, Assembly assembled, Leftovers rest) throws IOException {
        Outcome last = Outcome.DONE;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            boolean stored = isStored(digest);
            VectorBuilder vector = new VectorBuilder();
            if (stored) {
                vector.present(layout.blob(digest));
            } else {
                vector.absent(layout.original(digest)).absent(layout.recipe(digest));
                FilePath whole = assembled.addTo(vector);
                vector.directory(layout.blob(digest)).rename(whole, layout.original(digest), false);
            }
            vector.directory(layout.link(repository, digest));
            rest.addTo(vector, stored);
            VectorResult result = files.apply(vector.build());
            if (!(result instanceof VectorResult.Refused refused)) {
                return !stored;
            }
            last = refused.reason();
        }
        throw new IOException("blob %s cannot be put in its place: %s".formatted(digest, last));
    }

    /** Adds the operations to a vector that make one file of all bytes; returns the file's path. */
    interface Assembly {
        FilePath addTo(VectorBuilder vector);
    }

    /** Adds the operations to a vector that remove the bytes' old place. */
    interface Leftovers {
        /**
         * Adds the removal.
         *
         * @param stored whether the blob was there already, and so the bytes are not needed
         */
        void addTo(VectorBuilder vector, boolean stored);
    }

    /** Gives a repository a blob that another one has; false when that one does not have it. */
    public boolean mount(String repository, String from, Digest digest) throws IOException {
        return applied(new VectorBuilder().present(layout.link(from, digest)), repository, digest);
    }

    /** Gives a repository a blob that is stored; false when it is not. */
    public boolean mount(String repository, Digest digest) throws IOException {
        return applied(new VectorBuilder(), repository, digest);
    }

    private boolean applied(VectorBuilder vector, String repository, Digest digest) throws IOException {
        vector.present(layout.blob(digest)).directory(layout.link(repository, digest));
        return files.apply(vector.build()) instanceof VectorResult.Applied;
    }

    /** Takes a blob from a repository; false when it does not have it. The bytes stay until they are garbage. */
    public boolean unlink(String repository, Digest digest) throws IOException {
        return files.apply(new VectorBuilder()
                        .delete(layout.link(repository, digest))
                        .build())
                instanceof VectorResult.Applied;
    }

    /** A stream that goes on from the recipe when the whole blob goes while it is read. */
    private final class BlobStream extends BulkInputStream {
        private final Digest digest;
        private Optional<Whole> whole;
        private long position;
        private InputStream now;

        BlobStream(Optional<Whole> whole, Digest digest, long position) throws IOException {
            this.whole = whole;
            this.digest = digest;
            this.position = position;
            this.now = start();
        }

        private InputStream start() throws IOException {
            if (whole.isPresent()) {
                try {
                    return whole.get().open(position);
                } catch (FileNotFoundException e) {
                    whole = Optional.empty();
                }
            }
            return rebuilder.open(layout.recipe(digest), position);
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            int n;
            try {
                n = now.read(into, offset, count);
            } catch (FileNotFoundException e) {
                goOnFromRecipe(e);
                n = now.read(into, offset, count);
            }
            position += Math.max(0, n);
            return n;
        }

        @Override
        public long transferTo(OutputStream out) throws IOException {
            long before = position;
            CountingOutputStream counted = new CountingOutputStream(out);
            try {
                long unused = now.transferTo(counted);
                position = before + counted.getCount();
            } catch (FileNotFoundException e) {
                position = before + counted.getCount();
                goOnFromRecipe(e);
                position += now.transferTo(out);
            }
            return position - before;
        }

        private void goOnFromRecipe(FileNotFoundException gone) throws IOException {
            if (whole.isEmpty()) {
                throw gone;
            }
            now.close();
            whole = Optional.empty();
            now = start();
        }

        @Override
        public void close() throws IOException {
            now.close();
        }
    }
}
