package io.packing.worker.read;

import io.packing.bdt.Bdt;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;

/**
 * Opens files of one mount wherever their bytes are. All of them share one cache, by place and not by file: clones of a file
 * are fetched once.
 *
 * @param mount its name at peers
 * @param own bytes that this process buffers
 */
public record FileReader(Bdt bdt, String mount, BlobPages pages, LocatedInput.OwnBuffer own, Peers peers)
        implements AutoCloseable {
    public PackingInput open(FilePath path) throws IOException {
        return open(bdt.locate(path).orElseThrow(() -> new FileNotFoundException(path.value())));
    }

    /** Opens the version that was located, whatever is at its path by now. */
    public PackingInput open(LocatedFile file) {
        return file.placement() instanceof Placement.Mapped mapped
                ? new MappedInput(file.status().attributes(), mapped, pages, this::open)
                : new LocatedInput(bdt, mount, pages, own, peers, file);
    }

    @Override
    public void close() {
        pages.close();
    }
}
