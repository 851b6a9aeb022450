// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.packing.blob.FilePath;
import io.packing.registry.dedup.DedupLimits;
import java.util.Optional;

/** Registries as tests start them: on the loopback interface, at free ports. */
final class TestRegistries {
    private TestRegistries() {}

    /** Returns the configuration of a registry that splits tars, or nothing. */
    static RegistryOptions config(String base, boolean dedup) {
        RegistryOptions local = RegistryOptions.local(new FilePath(base));
        return local.withDedup(dedup ? Optional.of(DedupLimits.DEFAULT) : Optional.empty());
    }
}
