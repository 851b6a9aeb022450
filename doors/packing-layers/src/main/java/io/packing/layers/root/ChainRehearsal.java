// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.layers.OpenRegistry;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.ChainedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.util.Optional;

/**
 * The rehearsal of a snapshotter before its first pull. It finds an image of the registry by its chain id, makes a container of it, reads
 * from its metadata image, and removes the container, some times. The code is loaded and compiled then, and the connections to master and
 * store are there. A process's first pull and start waited two seconds for these on a busy machine.
 */
public final class ChainRehearsal {
    private static final int TIMES = 4;
    private static final int READ_BYTES = 4 << 20;

    private ChainRehearsal() {}

    /**
     * Rehearses with an image, whichever the registry has.
     *
     * @param name of a container that nothing else uses; it is gone afterwards
     * @return whether the registry has an image
     */
    public static boolean run(OpenRegistry registry, Containers containers, String name) throws IOException {
        Optional<Digest> chain = registry.chains().example();
        if (chain.isEmpty()) {
            return false;
        }
        // A process that was killed has left it.
        boolean unused = containers.remove(name);
        for (int i = 0; i < TIMES; i++) {
            Optional<ChainedImage> image = registry.chains().find(chain.get()).filter(ChainedImage::isWhole);
            if (image.isEmpty()) {
                // It was deleted meanwhile.
                return false;
            }
            start(registry, containers, name, image.get());
        }
        return true;
    }

    private static void start(OpenRegistry registry, Containers containers, String name, ChainedImage image)
            throws IOException {
        Object unused = containers.create(name, image);
        try {
            MetadataImages images = new MetadataImages(registry);
            Optional<MetadataImages.Stored> stored = images.find(image.repository(), image.manifest());
            if (stored.isPresent()) {
                images.copyStart(
                        stored.get(),
                        READ_BYTES,
                        new DigestOutputStream(OutputStream.nullOutputStream(), Digest.Algorithm.SHA256.hasher()));
            }
        } finally {
            boolean unusedToo = containers.remove(name);
        }
    }
}
