// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens mounts again that a full disk stopped, once there is space: only a replay, as at a start, brings the log and the
 * table together again. Whatever fails stays to be done. Works on a thread of its own; thread-safe.
 */
final class Revivals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Revivals.class);
    /** Between two looks at the open mounts. */
    private static final long LOOK_MILLIS = 1_000;

    /** The opener of mounts. */
    interface Opening {
        boolean hasSpace(Mount stopped) throws IOException;

        /** Replaces a mount that takes no mutations, unless another thread has done so. */
        void reopen(Mount stopped) throws IOException;

        /** Opens mounts of a master. */
        static Opening of(OpenMounts mounts, MountOpener opener) {
            return new Opening() {
                @Override
                public boolean hasSpace(Mount stopped) throws IOException {
                    return opener.hasSpaceToOpen(stopped);
                }

                @Override
                public void reopen(Mount stopped) throws IOException {
                    mounts.reopen(stopped, (mount, request) -> request);
                }
            };
        }
    }

    private final Supplier<Collection<Mount>> open;
    private final Opening opening;
    private final Runnable onRevived;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(Revivals::daemon);
    /** Mounts that were stopped, and why they are not open yet. */
    private final Map<Mount, String> waiting = new ConcurrentHashMap<>();

    /**
     * @param open the mounts that are open
     * @param onRevived is run when mounts were opened
     */
    Revivals(Supplier<Collection<Mount>> open, Opening opening, Runnable onRevived) {
        this.open = open;
        this.opening = opening;
        this.onRevived = onRevived;
    }

    /** Begins to look after the mounts. */
    void start() {
        ScheduledFuture<?> unused =
                thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "bdt-revivals");
        thread.setDaemon(true);
        return thread;
    }

    private void look() {
        try {
            if (reviveAll()) {
                onRevived.run();
            }
        } catch (Throwable e) {
            // A schedule ends with the first failure of its task.
            LOG.error("mounts that a full disk stopped could not be looked at; tried again", e);
        }
    }

    /** Opens what can be opened; returns whether anything was. */
    private boolean reviveAll() {
        for (Mount mount : open.get()) {
            if (mount.writer().isStoppedByFullDisk() && mount.lease().lost().isEmpty()) {
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
            LOG.info("mount {}: the disk has space again, and the mount goes on", mount.id());
            return true;
        } catch (IOException | RuntimeException e) {
            String before = waiting.put(mount, e.toString());
            if (!e.toString().equals(before)) {
                LOG.warn("mount {}: there is space again, but it cannot be opened yet", mount.id(), e);
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

    /** Breaks off what is under way, and opens no more. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
