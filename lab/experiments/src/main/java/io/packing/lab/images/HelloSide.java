// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.IOException;
import java.nio.file.Path;

/** A way to store images and to start containers of them. Confined to one thread. */
interface HelloSide extends AutoCloseable {
    /** Builds the image as a developer does before a push: no other machine sees it. */
    void build(ImageSet.Image image) throws IOException, InterruptedException;

    /** Pushes an image: others can pull it then. */
    void push(ImageSet.Image image) throws IOException, InterruptedException;

    /** Does what must be done before a container of the image can be started. */
    void pull(ImageSet.Image image) throws IOException, InterruptedException;

    /** Waits for what goes on behind a push. */
    void settle() throws IOException, InterruptedException;

    /** Makes a fresh writable root of the image, and leaves it there until {@link #stop}. */
    Path start(ImageSet.Image image) throws IOException, InterruptedException;

    /** Takes away the root that was made last. */
    void stop() throws IOException, InterruptedException;

    /** Deletes what the last pull has made, but for what other images need. */
    void remove(ImageSet.Image image) throws IOException, InterruptedException;

    @Override
    void close() throws IOException, InterruptedException;
}
