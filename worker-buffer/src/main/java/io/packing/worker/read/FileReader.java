// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.bdt.Bdt;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;

/**
 * A reader of one mount's files, wherever their bytes are. All files share one cache, by place and not by file: clones
 * of a file are fetched once.
 *
 * @param mount name of the mount at peers
 * @param own bytes that this process buffers
 * @param stored bytes in blobs that this process does not read itself
 * @param readsBlobs true if it reads blobs where the master names their places
 */
public record FileReader(
        Bdt bdt,
        String mount,
        BlobPages pages,
        LocatedInput.OwnBuffer own,
        Peers peers,
        StoredBytes stored,
        boolean readsBlobs)
        implements AutoCloseable {
    /** Creates a reader that reads all blobs itself. */
    public FileReader(Bdt bdt, String mount, BlobPages pages, LocatedInput.OwnBuffer own, Peers peers) {
        this(bdt, mount, pages, own, peers, StoredBytes.NONE, true);
    }

    public PackingInput open(FilePath path) throws IOException {
        return open(bdt.locate(path).orElseThrow(() -> new FileNotFoundException(path.value())));
    }

    /** Opens the located version, even if its path has another one by now. */
    public PackingInput open(LocatedFile file) {
        LocatedFile told = told(file);
        return told.placement() instanceof Placement.Mapped mapped
                ? new MappedInput(told.status().attributes(), mapped, pages, this::input)
                : input(told);
    }

    private LocatedFile told(LocatedFile file) {
        return readsBlobs ? file : file.withheld();
    }

    private PackingInput input(LocatedFile file) {
        return new LocatedInput(this::locate, this, file);
    }

    private Optional<LocatedFile> locate(FileVersion version, FilePath path) throws IOException {
        return bdt.locate(version, path).map(this::told);
    }

    /** Opens a version for users with the right to read it, as a worker does; empty: it is not in blobs. */
    Optional<LocatedInput> openForUsers(FileVersion version) throws IOException {
        return bdt.locateForUsers(version)
                .filter(file -> file.placement() instanceof Placement.Packed)
                .map(this::inputForUsers);
    }

    /** Opens a file that the master found for a user with the right to read it. */
    PackingInput openFoundForUser(LocatedFile file) {
        return file.placement() instanceof Placement.Mapped mapped
                ? new MappedInput(file.status().attributes(), mapped, pages, this::inputForUsers)
                : inputForUsers(file);
    }

    /** Locates bytes that have moved by the worker's right, since the user's was checked. */
    private LocatedInput inputForUsers(LocatedFile file) {
        return new LocatedInput((version, unused) -> bdt.locateForUsers(version), this, file);
    }

    @Override
    public void close() {
        pages.close();
    }
}
