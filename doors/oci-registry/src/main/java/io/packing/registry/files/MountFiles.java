// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.bdt.Durability;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of a packing mount. */
public final class MountFiles implements RegistryFiles {
    private static final CreateOptions CREATE = new CreateOptions("registry", "registry", 0640, true, false);

    private final PackingFileSystem mount;
    private final long packedBytes;

    /** @param mount the caller closes it */
    public MountFiles(PackingFileSystem mount, MountOptions options) {
        this.mount = mount;
        // With every file pushed before it is closed, parts would be a PUT each.
        Durability durability = options.toldBy(mount.bdt().options()).write().durability();
        this.packedBytes = durability == Durability.UPLOADED
                ? Long.MAX_VALUE
                : options.write().pieceBytes();
    }

    @Override
    public long packedBytes() {
        return packedBytes;
    }

    @Override
    public Optional<FileStatus> stat(FilePath path) throws IOException {
        return mount.bdt().stat(path);
    }

    @Override
    public PackingInput open(FilePath path) throws IOException {
        return mount.open(path);
    }

    @Override
    public PackingOutput create(FilePath path) throws IOException {
        return mount.create(path, CREATE);
    }

    @Override
    public Optional<List<FileStatus>> list(FilePath directory, String after, int limit) throws IOException {
        return mount.bdt().list(directory, after, limit);
    }

    @Override
    public Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
        return mount.bdt().extended(path);
    }

    @Override
    public VectorResult apply(OperationVector vector) throws IOException {
        return mount.bdt().apply(vector);
    }
}
