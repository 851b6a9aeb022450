// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** The groups of a volume's log after a vector has mapped them, as contents that the volume's file refers to. Thread-safe. */
final class VolumeContents {
    private static final int MOST_OPEN = 256;

    private final PackingFileSystem mount;
    private final FilePath volume;

    /** The contents that were read lately. Guarded by itself. */
    private final Map<FileVersion, PackingInput> open = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FileVersion, PackingInput> eldest) {
            // Reads of it may be under way: it holds nothing that needs a close.
            return size() > MOST_OPEN;
        }
    };

    VolumeContents(PackingFileSystem mount, FilePath volume) {
        this.mount = mount;
        this.volume = volume;
    }

    /**
     * Fills the buffer with the bytes from a place on.
     *
     * @throws FileNotFoundException when the volume has its bytes in other contents by now, or others in their place
     */
    void read(LogPlace place, ByteBuffer into) throws IOException {
        PackingInput input = input(place.version());
        long start = place.offset() - into.position();
        while (into.hasRemaining()) {
            if (input.read(start + into.position(), into) < 0) {
                throw new IOException("%s ends before %d".formatted(place, start + into.position()));
            }
        }
    }

    private PackingInput input(FileVersion version) throws IOException {
        synchronized (open) {
            PackingInput known = open.get(version);
            if (known != null) {
                return known;
            }
        }
        LocatedFile located = mount.bdt()
                .locate(version, volume)
                .orElseThrow(() -> new FileNotFoundException("%s: content %s is gone".formatted(volume, version)));
        PackingInput input = mount.open(located);
        synchronized (open) {
            open.put(version, input);
        }
        return input;
    }
}
