// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.spread;

import io.packing.bdt.MountEntry;
import io.packing.bdt.client.FederationClient;
import java.io.IOException;
import java.util.Optional;

/** The table of mounts as the masters of other groups than the first ask for it. */
public record RemoteTable(FederationClient first) implements TableOfMounts {
    @Override
    public Optional<MountEntry> find(String mount) throws IOException {
        return first.find(mount);
    }

    @Override
    public Optional<MountEntry> change(String mount, Optional<MountEntry> expected, MountEntry next)
            throws IOException {
        return first.change(mount, expected, Optional.of(next));
    }
}
