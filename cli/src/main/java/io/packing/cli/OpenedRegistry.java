// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.Containers;
import java.io.IOException;

/** A registry of which layers are read in this process. */
record OpenedRegistry(RegistryTarget.Opened target, OpenRegistry registry) implements AutoCloseable {
    OpenedRegistry(RegistryTarget.Opened target) {
        this(target, new OpenRegistry(target.files(), target.base()));
    }

    Containers containers() {
        return new Containers(registry, target.mount().bdt());
    }

    /** Returns the image that a user names. */
    static ImageName image(String text) {
        return ImageName.parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'%s' is no image, such as 127.0.0.1:5000/team/app:v1".formatted(text)));
    }

    @Override
    public void close() throws IOException {
        try (target) {
            registry.close();
        }
    }
}
