// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import io.packing.fuse.mount.KernelMountTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The mounts below a directory, and the processes that work there, which an experiment that was interrupted or failed has not closed. A
 * process that was started by this one, or by such a process, works in the directory if it is its working directory or its root, or if an
 * argument names a path there.
 */
final class Leftovers {
    private static final Path PROCESSES = Path.of("/proc");
    /** A process that is killed meanwhile may have started another one. */
    private static final int TRIES = 5;

    private static final int END_SECONDS = 10;

    private final Path directory;
    /** The directory without symbolic links, as the kernel names it. */
    private final Path real;

    /** @param directory that exists */
    Leftovers(Path directory) throws IOException {
        this.directory = directory.toAbsolutePath().normalize();
        this.real = directory.toRealPath();
    }

    /**
     * Kills the processes, and unmounts everything, also where files are open.
     *
     * @throws IOException if a mount or a process stays
     */
    void end() throws IOException, InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            List<ProcessHandle> processes = processes();
            List<Path> mounts = mounts();
            if (processes.isEmpty() && mounts.isEmpty()) {
                return;
            }
            processes.forEach(ProcessHandle::destroyForcibly);
            for (Path mount : mounts) {
                KernelMountTable.unmount(mount);
            }
            // Only now: a process that waits for a mount ends with it.
            awaitEnd(processes);
        }
        throw new IOException(
                "%s is still in use: mounts %s, processes %s".formatted(directory, mounts(), processes()));
    }

    /** Returns the mounts, the newest first: an upper one stands on lower ones. */
    private List<Path> mounts() throws IOException {
        List<Path> found = new ArrayList<>();
        for (KernelMountTable.Entry each : KernelMountTable.entries()) {
            if (each.directory().startsWith(real)) {
                found.add(each.directory());
            }
        }
        Collections.reverse(found);
        return found;
    }

    private List<ProcessHandle> processes() {
        return ProcessHandle.current().descendants().filter(this::worksHere).toList();
    }

    private boolean worksHere(ProcessHandle process) {
        Path of = PROCESSES.resolve(Long.toString(process.pid()));
        return isBelow(of.resolve("cwd")) || isBelow(of.resolve("root")) || isNamed(of.resolve("cmdline"));
    }

    private boolean isBelow(Path link) {
        try {
            return Files.readSymbolicLink(link).startsWith(real);
        } catch (IOException | UnsupportedOperationException e) {
            // The process has ended, or the system has no such files.
            return false;
        }
    }

    private boolean isNamed(Path arguments) {
        try {
            return new String(Files.readAllBytes(arguments), StandardCharsets.UTF_8).contains(directory + "/");
        } catch (IOException e) {
            // The process has ended, or the system has no such files.
            return false;
        }
    }

    private static void awaitEnd(List<ProcessHandle> processes) throws InterruptedException {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(END_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The next look finds those that stay.
        }
    }
}
