// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calls of a master without groups, which serves every mount. */
public final class NoFederation implements FederationCalls {
    @Override
    public Map<String, String> groups() {
        throw none();
    }

    @Override
    public List<MountEntry> table() {
        throw none();
    }

    @Override
    public MountEntry assign(String store, String group) {
        throw none();
    }

    @Override
    public Optional<MountEntry> change(String mount, Optional<MountEntry> expected, Optional<MountEntry> next) {
        throw none();
    }

    @Override
    public MoveProgress move(String mount, String group, boolean start) {
        throw none();
    }

    @Override
    public Incoming incoming() {
        throw none();
    }

    private static IllegalArgumentException none() {
        return new IllegalArgumentException(
                "the mounts of this master are not spread over groups: set bdt.mounts.groups and bdt.mounts.group");
    }
}
