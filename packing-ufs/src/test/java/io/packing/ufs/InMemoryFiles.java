// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A mount in memory, whose writes fail on demand. */
final class InMemoryFiles implements PackingFileSystem {
    final InMemoryDirectory namespace = new InMemoryDirectory();
    final Map<FileVersion, byte[]> contents = new HashMap<>();
    boolean failWrites;
    boolean flushed;
    boolean closed;

    @Override
    public Bdt bdt() {
        return namespace;
    }

    @Override
    public boolean isUploaded(FilePath path) {
        return false;
    }

    @Override
    public PackingOutput create(FilePath path, CreateOptions options) {
        return new Output(path, options);
    }

    @Override
    public PackingInput open(FilePath path) throws IOException {
        return open(namespace.stat(path).orElseThrow(() -> new FileNotFoundException(path.value())));
    }

    @Override
    public PackingInput open(LocatedFile file) {
        return open(file.status());
    }

    private PackingInput open(FileStatus status) {
        byte[] content = Objects.requireNonNull(contents.get(status.version()), "a directory");
        return new PackingInput() {
            @Override
            public FileAttributes attributes() {
                return status.attributes();
            }

            @Override
            public int read(long position, ByteBuffer into) {
                if (position >= content.length) {
                    return -1;
                }
                // At most three bytes at a time: callers must not rely on full reads.
                int n = (int) Math.min(Math.min(3, into.remaining()), content.length - position);
                into.put(content, (int) position, n);
                return n;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void flush() {
        flushed = true;
    }

    @Override
    public void close() {
        closed = true;
    }

    private final class Output extends PackingOutput {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final FilePath path;
        private final CreateOptions options;
        private @Nullable FileStatus status;

        Output(FilePath path, CreateOptions options) {
            super(path);
            this.path = path;
            this.options = options;
        }

        @Override
        protected void append(byte[] from, int offset, int length) throws IOException {
            if (failWrites) {
                throw new IOException("disk on fire");
            }
            bytes.write(from, offset, length);
        }

        @Override
        protected void complete() {
            status = namespace.putFile(
                    path, new FileAttributes(bytes.size(), 42, options.owner(), options.group(), options.mode()));
            contents.put(status.version(), bytes.toByteArray());
        }

        @Override
        protected void discard() {}

        @Override
        public FileVersion version() {
            return Objects.requireNonNull(status).version();
        }

        @Override
        public FileAttributes attributes() {
            return Objects.requireNonNull(status).attributes();
        }
    }
}
