// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.underfs.UnderFileSystemConfiguration;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mounts that are open in this process. Under file system instances with equal master, options and role share one.
 * Nothing is closed before the process ends, because Alluxio does not say when a mount is gone: buffered files are
 * packed and pushed anyway. Thread-safe.
 */
final class ProcessMounts {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessMounts.class);
    private static final String STORE = "packing.store";
    private static final String BUFFER = "packing.buffer.dir";
    private static final Duration STOP_WITHIN = Duration.ofSeconds(20);

    private record Key(AlluxioRole role, String master, Map<String, String> options) {}

    private final Engines engines;
    private final Consumer<Runnable> background;
    private final ConcurrentMap<Key, OpenMount> mounts = new ConcurrentHashMap<>();

    private static final class OpenMount {
        final ReentrantLock opening = new ReentrantLock();
        volatile @Nullable PackingFileSystem files;
        /** The slot, held for as long as the worker lives: a lock without a reference to it is given up. */
        volatile @Nullable BufferSlot slot;

        void close() throws IOException {
            PackingFileSystem open = files;
            if (open != null) {
                open.close();
            }
            BufferSlot held = slot;
            if (held != null) {
                held.close();
            }
        }
    }

    /**
     * Makes an empty set of mounts.
     *
     * @param background runs a task of its own while the process lives
     */
    ProcessMounts(Engines engines, Consumer<Runnable> background) {
        this.engines = engines;
        this.background = background;
    }

    /** Returns the mount for a role, opened when it is not open yet. */
    PackingFileSystem connect(AlluxioRole role, String host, String uri, UnderFileSystemConfiguration configuration)
            throws IOException {
        return connect(role, host, UfsOptions.from(uri, configuration));
    }

    PackingFileSystem connect(AlluxioRole role, String host, UfsOptions settings) throws IOException {
        OpenMount mount =
                mounts.computeIfAbsent(new Key(role, settings.master(), settings.options()), absent -> new OpenMount());
        // One that waits for an unreachable store holds up only its own users.
        mount.opening.lock();
        try {
            PackingFileSystem files = mount.files;
            if (files == null) {
                files = role == AlluxioRole.WORKER
                        ? startWorker(mount, host, settings)
                        : engines.remote(settings, host);
                mount.files = files;
            }
            return files;
        } finally {
            mount.opening.unlock();
        }
    }

    private PackingFileSystem startWorker(OpenMount mount, String host, UfsOptions settings) throws IOException {
        Path directory = mountDirectory(host, settings);
        BufferSlot slot = BufferSlot.take(directory);
        PackingFileSystem files;
        try {
            files = engines.embedded(settings, workerId(host, settings, slot.number()), host, slot.buffer());
        } catch (IOException | RuntimeException e) {
            slot.close();
            throw e;
        }
        mount.slot = slot;
        drain(BufferSlot.leftovers(directory), host, settings);
        return files;
    }

    /** Pushes the files that engines of earlier processes left behind in slots that this process does not use. */
    private void drain(List<BufferSlot> leftovers, String host, UfsOptions settings) {
        for (BufferSlot slot : leftovers) {
            String worker = workerId(host, settings, slot.number());
            background.accept(() -> {
                try (slot) {
                    try (PackingFileSystem files = engines.embedded(settings, worker, host, slot.buffer())) {
                        files.flush();
                    }
                    slot.discard();
                } catch (IOException | RuntimeException e) {
                    LOG.warn("buffer {} stays as it is until the next restart", slot.buffer(), e);
                }
            });
        }
    }

    /** Returns the directory of a mount; only its master, its store and the buffer option decide it. */
    static Path mountDirectory(String host, UfsOptions settings) {
        String configured = settings.options().getOrDefault(BUFFER, "");
        Path root = configured.isEmpty() ? settings.workDirectory().resolve("packing") : Path.of(configured);
        String identity = settings.master() + " " + settings.options().getOrDefault(STORE, "");
        UUID hash = UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
        return root.resolve(workerId(host, settings, 0)).resolve(hash.toString().substring(0, 8));
    }

    static String workerId(String host, UfsOptions settings, int slot) {
        String id = (host + "-" + settings.workerPort()).replaceAll("[^A-Za-z0-9._-]", "_");
        String tail = slot == 0 ? id : id + "-" + slot;
        return tail.substring(Math.max(0, tail.length() - 128));
    }

    /** Stops every worker of this process, all at once and not longer than the bound. */
    void stop() {
        List<OpenMount> all = List.copyOf(mounts.values());
        CountDownLatch stopped = new CountDownLatch(all.size());
        for (OpenMount mount : all) {
            background.accept(() -> {
                try {
                    mount.close();
                } catch (IOException | RuntimeException e) {
                    LOG.warn("a packing mount did not stop cleanly", e);
                } finally {
                    stopped.countDown();
                }
            });
        }
        try {
            if (!stopped.await(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "packing mounts did not stop within {}; their buffers are recovered at the next start",
                        STOP_WITHIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
