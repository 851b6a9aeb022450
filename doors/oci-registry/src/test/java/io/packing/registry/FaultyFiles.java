// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.OperationVector;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.VectorResult;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.registry.files.RegistryFiles;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A mount that fails: calls are not answered, answers of vectors are lost after they were applied, writes break in the middle,
 * and reads of contents give wrong bytes, which the real mount's checksums would refuse.
 */
final class FaultyFiles implements RegistryFiles {
    private final RegistryFiles files;
    private final SplittableRandom random;
    private volatile double rate;

    FaultyFiles(RegistryFiles files, SplittableRandom random) {
        this.files = files;
        this.random = random;
    }

    /** From now on, so many of the calls fail. */
    void fail(double share) {
        rate = share;
    }

    private synchronized boolean chance(double weight) {
        return random.nextDouble() < rate * weight;
    }

    private void mayFail() throws IOException {
        if (chance(1)) {
            throw new UnavailableException("injected");
        }
    }

    @Override
    public long packedBytes() {
        return files.packedBytes();
    }

    @Override
    public Optional<FileStatus> stat(FilePath path) throws IOException {
        mayFail();
        return files.stat(path);
    }

    @Override
    public PackingInput open(FilePath path) throws IOException {
        mayFail();
        PackingInput in = files.open(path);
        return new PackingInput() {
            @Override
            public FileAttributes attributes() {
                return in.attributes();
            }

            @Override
            public int read(long position, ByteBuffer into) throws IOException {
                mayFail();
                int start = into.position();
                int n = in.read(position, into);
                if (n > 0 && chance(0.5)) {
                    into.put(start + n / 2, (byte) (into.get(start + n / 2) ^ 0x20));
                }
                return n;
            }

            @Override
            public void close() {
                in.close();
            }
        };
    }

    @Override
    public PackingOutput create(FilePath path) throws IOException {
        mayFail();
        PackingOutput out = files.create(path);
        return new PackingOutput(path) {
            @Override
            protected void append(byte[] from, int offset, int length) throws IOException {
                mayFail();
                out.write(from, offset, length);
            }

            @Override
            protected void complete() throws IOException {
                out.close();
                mayFail();
            }

            @Override
            protected void discard() {
                out.abort();
            }

            @Override
            public FileVersion version() {
                return out.version();
            }

            @Override
            public FileAttributes attributes() {
                return out.attributes();
            }
        };
    }

    @Override
    public Optional<List<FileStatus>> list(FilePath directory, String after, int limit) throws IOException {
        mayFail();
        return files.list(directory, after, limit);
    }

    @Override
    public Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
        mayFail();
        return files.extended(path);
    }

    @Override
    public VectorResult apply(OperationVector vector) throws IOException {
        mayFail();
        VectorResult result = files.apply(vector);
        mayFail();
        return result;
    }
}
