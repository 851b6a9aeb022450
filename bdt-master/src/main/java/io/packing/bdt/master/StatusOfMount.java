// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.Evacuation;
import io.packing.bdt.MountStatus;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.master.upkeep.UpkeepPart;
import io.packing.store.RequestMeter;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The status of an open mount, for operators. */
final class StatusOfMount {
    private StatusOfMount() {}

    static MountStatus of(Mount mount) {
        RequestMeter.Snapshot asked = mount.meter().snapshot();
        return new MountStatus(
                mount.id(),
                mount.address().location().text(),
                mount.table().statistics(),
                mount.table().workers(),
                new StoreRequests(
                        asked.put(),
                        asked.list(),
                        asked.get(),
                        asked.head(),
                        asked.delete(),
                        asked.throttled(),
                        asked.failed()),
                mount.table().workerRequests(),
                Stream.of(mount.problem(), mount.notReady(false))
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining("; ")),
                mount.upkeep().losses().paths(),
                mount.notes(),
                mount.upkeep().evacuation().progress().map(progress -> withTrouble(progress, mount)));
    }

    private static Evacuation withTrouble(Evacuation progress, Mount mount) {
        return mount.upkeep().troubles().stream()
                .filter(trouble -> trouble.what().equals("evacuation"))
                .findFirst()
                .map(UpkeepPart.Trouble::why)
                .map(progress::failing)
                .orElse(progress);
    }
}
