// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A registry for the images of all tests of a class. */
abstract class ShownImagesFixture {
    @TempDir
    static Path home;

    static ShownImages images;

    @BeforeAll
    static void start() throws IOException {
        images = new ShownImages(home);
    }

    @AfterAll
    static void stop() throws IOException {
        images.close();
    }
}
