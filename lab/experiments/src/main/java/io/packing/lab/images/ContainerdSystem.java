// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonValue;
import io.packing.rig.EngineRig;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A way by which containerd gets an image and starts containers of it. */
enum ContainerdSystem {
    /** Our snapshotter and a pull as kubelet's; the container starts when the pull has ended. */
    PACKING("packing", true, true, Duration.ZERO),
    /** Our snapshotter, with time between pull and start, in which reads of starts that are known are brought. */
    PACKING_LATER("packing, start 3 s later", true, true, Duration.ofSeconds(3)),
    /** Our snapshotter and containerd's own client, which fetches layers that are not unpacked. */
    PACKING_CTR("packing, pull by ctr", true, false, Duration.ZERO),
    /** containerd's own snapshotter and a pull as kubelet's. */
    OVERLAY("overlayfs", false, true, Duration.ZERO),
    /** containerd's own snapshotter and client. */
    OVERLAY_CTR("overlayfs, pull by ctr", false, false, Duration.ZERO);

    private final String words;
    private final boolean isOurs;
    private final boolean isByCri;
    private final Duration pause;

    ContainerdSystem(String words, boolean isOurs, boolean isByCri, Duration pause) {
        this.words = words;
        this.isOurs = isOurs;
        this.isByCri = isByCri;
        this.pause = pause;
    }

    /** Returns the system with a name of the enumeration in small letters, with hyphens. */
    static ContainerdSystem of(String option) {
        return Arrays.stream(values())
                .filter(each -> each.option().equals(option))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'%s' is no system; there are %s".formatted(option, String.join(", ", options()))));
    }

    static List<String> options() {
        return Arrays.stream(values()).map(ContainerdSystem::option).toList();
    }

    private String option() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the words for people. */
    @JsonValue
    String words() {
        return words;
    }

    /** Returns the time between the end of the pull and the first start. */
    Duration pause() {
        return pause;
    }

    /** Starts a machine that has never seen an image. */
    ContainerdMachine machine(EngineRig rig) throws IOException, InterruptedException {
        return isOurs ? ContainerdMachine.withSnapshotter(rig) : ContainerdMachine.withOverlay();
    }

    void pull(ContainerdMachine machine, String image) throws IOException, InterruptedException {
        if (isByCri) {
            machine.pullByCri(image);
        } else {
            machine.pullByCtr(image);
        }
    }
}
