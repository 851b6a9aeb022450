package io.packing.chaos.fuse;

import java.util.Locale;

/** What is killed, always by SIGKILL. */
enum Victim {
    /** The process behind the mount that programs write to. */
    WRITABLE_MOUNT,
    /** The process behind the mount of the roots of containers. */
    ROOTS,
    WORKER,
    MASTER,
    REGISTRY;

    String counter() {
        return "killed_" + name().toLowerCase(Locale.ROOT);
    }
}
