// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import io.packing.csi.volume.CsiRefusal;
import java.util.Map;

/** The parameters of snapshots, which have none but those that sidecars add. */
final class SnapshotParameters {
    private static final String OF_SIDECARS = "csi.storage.k8s.io/";

    private SnapshotParameters() {}

    static void none(Map<String, String> given) throws CsiRefusal {
        for (String each : given.keySet()) {
            if (!each.startsWith(OF_SIDECARS)) {
                throw CsiRefusal.invalid("unknown parameter '%.100s': snapshots have none".formatted(each));
            }
        }
    }
}
