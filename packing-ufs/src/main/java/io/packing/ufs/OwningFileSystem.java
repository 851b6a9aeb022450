// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.packing.bdt.Bdt;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.util.List;

/** A mount that also closes the resources below it, in the given order. */
final class OwningFileSystem implements PackingFileSystem {
    private final PackingFileSystem files;
    private final List<AutoCloseable> owned;

    OwningFileSystem(PackingFileSystem files, AutoCloseable... owned) {
        this.files = files;
        this.owned = List.of(owned);
    }

    @Override
    public Bdt bdt() {
        return files.bdt();
    }

    @Override
    public PackingOutput create(FilePath path, CreateOptions options) throws IOException {
        return files.create(path, options);
    }

    @Override
    public boolean isUploaded(FilePath path) {
        return files.isUploaded(path);
    }

    @Override
    public PackingInput open(FilePath path) throws IOException {
        return files.open(path);
    }

    @Override
    public PackingInput open(LocatedFile file) throws IOException {
        return files.open(file);
    }

    @Override
    public void flush() throws IOException {
        files.flush();
    }

    @Override
    public void close() throws IOException {
        files.close();
        for (AutoCloseable each : owned) {
            try {
                each.close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}
