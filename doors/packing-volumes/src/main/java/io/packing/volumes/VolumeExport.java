// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.blob.FilePath;
import io.packing.nbd.NbdDevice;
import io.packing.nbd.NbdExports;
import java.util.List;
import java.util.Optional;

/** One volume as the only device of a server: it has its file's name, and is the default. */
public record VolumeExport(FilePath path, NbdDevice device) implements NbdExports {
    @Override
    public List<String> names() {
        return List.of(path.name());
    }

    @Override
    public Optional<NbdDevice> find(String name) {
        return name.isEmpty() || name.equals(path.name()) ? Optional.of(device) : Optional.empty();
    }

    @Override
    public String description(String name) {
        return "volume %s of a packing mount".formatted(path.value());
    }
}
