package io.packing.bdt.master;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens mounts again that a full disk stopped, once there is space: only a replay, as at a start, brings the log and the
 * table together again. Whatever fails stays to be done. Stepped by one thread; asked by any.
 */
final class Revivals {
    private static final Logger log = LoggerFactory.getLogger(Revivals.class);

    /** What opens mounts. */
    interface Opening {
        boolean hasSpace(Mount stopped) throws IOException;

        /** Replaces a mount that takes no mutations, unless somebody has done so. */
        void reopen(Mount stopped) throws IOException;
    }

    private final Supplier<Collection<Mount>> open;
    private final Opening opening;
    /** Mounts that were stopped, and why they are not open yet. */
    private final Map<Mount, String> waiting = new ConcurrentHashMap<>();

    Revivals(Supplier<Collection<Mount>> open, Opening opening) {
        this.open = open;
        this.opening = opening;
    }

    /** Opens what can be opened; returns whether anything was. */
    boolean step() {
        for (Mount mount : open.get()) {
            if (mount.table().writer().isStoppedByFullDisk()
                    && mount.lease().lost().isEmpty()) {
                waiting.putIfAbsent(mount, "there is no space yet");
            }
        }
        boolean any = false;
        for (Mount mount : List.copyOf(waiting.keySet())) {
            any |= revive(mount);
        }
        return any;
    }

    private boolean revive(Mount mount) {
        if (mount.lease().lost().isPresent()) {
            // Another master's by now.
            waiting.remove(mount);
            return false;
        }
        try {
            if (!opening.hasSpace(mount)) {
                return false;
            }
            opening.reopen(mount);
            waiting.remove(mount);
            log.info("mount {}: the disk has space again, and the mount goes on", mount.id());
            return true;
        } catch (IOException | RuntimeException e) {
            String before = waiting.put(mount, e.toString());
            if (!e.toString().equals(before)) {
                log.warn("mount {}: there is space again, but it cannot be opened yet", mount.id(), e);
            }
            return false;
        }
    }

    /** Why operators must see to mounts that are not open at present. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        waiting.forEach((mount, why) ->
                problems.add("mount %s: stopped by a full disk, and not open again: %s".formatted(mount.id(), why)));
        return problems;
    }
}
