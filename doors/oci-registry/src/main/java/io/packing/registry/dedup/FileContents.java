// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.files.PartedFile;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.Supplier;

/** The contents of files, each stored once under its hash. Thread-safe. */
final class FileContents implements ContentStore {
    private static final int BUFFER = 256 << 10;

    private final RegistryFiles files;
    private final Layout layout;
    private final Supplier<String> ids;

    /** @param ids gives unique names */
    FileContents(RegistryFiles files, Layout layout, Supplier<String> ids) {
        this.files = files;
        this.layout = layout;
        this.ids = ids;
    }

    @Override
    public void put(String hex, byte[] bytes) throws IOException {
        FilePath path = layout.file(hex);
        if (files.stat(path).isPresent()) {
            return;
        }
        PackingOutput out = files.create(path);
        try {
            out.write(bytes);
            out.close();
        } catch (FileAlreadyExistsException e) {
            // Another thread or registry stored these bytes.
            out.abort();
        } catch (IOException | RuntimeException e) {
            out.abort();
            throw e;
        }
    }

    @Override
    public String put(InputStream bytes, MessageDigest hasher) throws IOException {
        PartedFile file = new PartedFile(files, layout, ids);
        boolean placed = false;
        try {
            byte[] buffer = new byte[BUFFER];
            for (int n = bytes.read(buffer); n >= 0; n = bytes.read(buffer)) {
                hasher.update(buffer, 0, n);
                file.write(buffer, 0, n);
            }
            String hex = HexFormat.of().formatHex(hasher.digest());
            if (files.stat(layout.file(hex)).isEmpty()) {
                file.finish();
                placed = place(file, layout.file(hex));
            }
            return hex;
        } finally {
            if (!placed) {
                file.abort();
            }
        }
    }

    /** Puts a content in its place; returns false if these bytes are stored already. */
    private boolean place(PartedFile file, FilePath path) throws IOException {
        VectorBuilder vector = new VectorBuilder().directory(path.parent().orElseThrow());
        FilePath whole = file.addTo(vector);
        VectorResult result = files.apply(vector.rename(whole, path, false).build());
        if (result instanceof VectorResult.Refused refused && refused.reason() != Outcome.EXISTS) {
            throw new IOException("%s cannot be stored: %s".formatted(path, refused.reason()));
        }
        return result instanceof VectorResult.Applied;
    }
}
