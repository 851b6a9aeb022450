// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.fuse;

import java.util.Locale;

/** A process that a round kills, always by SIGKILL. */
enum Victim {
    /** The process behind the mount that programs write to. */
    WRITABLE_MOUNT,
    /** The process behind the mount of containers' roots. */
    ROOTS,
    WORKER,
    MASTER,
    REGISTRY;

    String counter() {
        return "killed_" + name().toLowerCase(Locale.ROOT);
    }
}
