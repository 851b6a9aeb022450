// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import io.packing.csi.rpc.v1.VolumeCapability;
import io.packing.csi.rpc.v1.VolumeCapability.AccessMode.Mode;
import io.packing.csi.volume.CsiRefusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The capabilities that volumes have: a directory for any number of readers and writers, on any number of nodes. */
final class CsiCapabilities {
    private static final Set<Mode> READERS = Set.of(Mode.SINGLE_NODE_READER_ONLY, Mode.MULTI_NODE_READER_ONLY);
    private static final Set<String> FILE_SYSTEMS = Set.of("", "packing");

    private CsiCapabilities() {}

    /** Refuses wishes that no volume fulfils. */
    static void check(List<VolumeCapability> wishes) throws CsiRefusal {
        if (wishes.isEmpty()) {
            throw CsiRefusal.invalid("no volume capability is named");
        }
        for (VolumeCapability each : wishes) {
            check(each);
        }
    }

    static void check(VolumeCapability wish) throws CsiRefusal {
        Optional<String> why = whyNot(wish);
        if (why.isPresent()) {
            throw CsiRefusal.invalid(why.get());
        }
    }

    /** Returns the first reason why volumes do not fulfil wishes; empty: they do. */
    static Optional<String> whyNot(List<VolumeCapability> wishes) {
        return wishes.stream()
                .map(CsiCapabilities::whyNot)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> whyNot(VolumeCapability wish) {
        if (wish.hasBlock()) {
            return Optional.of("volume_capability.block: a volume is a directory, and no block device");
        }
        if (!wish.hasMount()) {
            return Optional.of("volume_capability: neither mount nor block is named");
        }
        Mode mode = wish.getAccessMode().getMode();
        if (mode == Mode.UNKNOWN || mode == Mode.UNRECOGNIZED) {
            return Optional.of("volume_capability.access_mode: unknown");
        }
        String type = wish.getMount().getFsType();
        return FILE_SYSTEMS.contains(type)
                ? Optional.empty()
                : Optional.of(
                        "volume_capability.mount.fs_type: '%.50s': a volume is a directory of a packing mount; leave it out"
                                .formatted(type));
    }

    static boolean isReader(VolumeCapability capability) {
        return READERS.contains(capability.getAccessMode().getMode());
    }

    static boolean isSingleWriter(VolumeCapability capability) {
        return capability.getAccessMode().getMode() == Mode.SINGLE_NODE_SINGLE_WRITER;
    }
}
