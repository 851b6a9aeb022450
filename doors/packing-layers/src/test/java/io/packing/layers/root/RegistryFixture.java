// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.layers.LayerRig;
import io.packing.layers.OpenRegistry;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A mount with a registry in it, to which a test pushes images. */
abstract class RegistryFixture {
    @TempDir
    Path home;

    LayerRig rig;
    OpenRegistry registry;

    @BeforeEach
    void start() throws IOException {
        rig = new LayerRig(home);
        registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY);
    }

    @AfterEach
    void stop() throws IOException {
        registry.close();
        rig.close();
    }
}
