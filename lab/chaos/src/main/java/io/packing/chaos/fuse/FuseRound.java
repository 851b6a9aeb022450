// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.fuse;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.chaos.run.Counts;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.mount.OwnDirectory;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixMount;
import io.packing.layers.root.RootsMount;
import io.packing.registry.files.MountFiles;
import io.packing.rig.EngineRig;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.read.ReadCaches;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A round: two mounts, programs that write, containers that start, images that are pushed, and kills meanwhile. Then
 * both mounts end. A client without FUSE compares the files with the acknowledged writes.
 */
final class FuseRound {
    /** The directory of the mount that programs write to. */
    static final FilePath WORK = new FilePath("/work");

    private static final List<String> JVM = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private static final List<Victim> ALL = List.of(Victim.values());
    private static final int PATIENCE_SECONDS = 240;
    private static final int LONGEST_DOWN_MILLIS = 400;

    private final Path home;
    private final FuseProcesses site;
    private final List<ProgramLane> lanes;
    private final Images images;
    private final Counts counts;
    private final Random random;
    private final ProgramProgress progress = new ProgramProgress();
    private final List<String> wrong = new ArrayList<>();

    FuseRound(Path home, FuseProcesses site, List<ProgramLane> lanes, Images images, Counts counts, long seed) {
        this.home = home;
        this.site = site;
        this.lanes = lanes;
        this.images = images;
        this.counts = counts;
        this.random = new Random(seed);
    }

    private MountSpec spec(String name, boolean readOnly, MountAccessOptions access) throws IOException {
        Path at = Files.createDirectories(
                OwnDirectory.ofState(home.resolve("mounts")).resolve(name));
        return new MountSpec(at, home.resolve(name + ".state"), name, readOnly, access, false);
    }

    /** Plays the round, and returns its failures. */
    List<String> play() throws IOException, InterruptedException {
        EngineRig.Target target = new EngineRig.Target(site.master(), site.options());
        try (EngineRig.Client client = target.client(new ReadCaches())) {
            MountFiles files = new MountFiles(client.mount(), MountOptions.from(site.options()));
            FuseMount writable = new PosixMount(
                            site.master(),
                            WORK,
                            site.options(),
                            Duration.ofSeconds(1),
                            spec("w", false, MountAccessOptions.FILES),
                            JVM,
                            OwnerMap.NAMES)
                    .start();
            try {
                FuseMount roots = new RootsMount(
                                site.master(),
                                new FilePath(FuseProcesses.REGISTRY),
                                site.options(),
                                spec("roots", true, MountAccessOptions.TREES),
                                JVM)
                        .start(files);
                try {
                    run(client, writable, roots);
                } finally {
                    end(roots);
                }
            } finally {
                end(writable);
            }
            check(client);
            wrong.addAll(images.wrong());
        }
        return wrong;
    }

    private void run(EngineRig.Client client, FuseMount writable, FuseMount roots)
            throws IOException, InterruptedException {
        List<Callable<Void>> programs = new ArrayList<>();
        int perLane = random.nextInt(15, 40);
        for (ProgramLane lane : lanes) {
            Random own = new Random(random.nextLong());
            programs.add(() -> {
                for (int i = 0; i < perLane; i++) {
                    lane.step(writable.directory(), own);
                    progress.step();
                }
                return null;
            });
        }
        int starts = random.nextInt(1, 4);
        Random pushes = new Random(random.nextLong());
        List<String> seen = new ArrayList<>();
        programs.add(() -> {
            for (int i = 0; i < starts; i++) {
                seen.addAll(images.start(client, roots.directory()));
                images.push(pushes);
            }
            return null;
        });
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<Void>> running = new ArrayList<>();
            progress.begin(programs.size());
            programs.forEach(each -> running.add(threads.submit(() -> {
                try {
                    return each.call();
                } finally {
                    progress.ended();
                }
            })));
            int kills = random.nextInt(1, 4);
            for (int i = 0; i < kills; i++) {
                progress.await(random.nextInt(perLane * lanes.size()));
                kill(writable, roots);
            }
            await(running);
            wrong.addAll(seen);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Kills one or two processes at once, and starts those that no keeper restarts. */
    private void kill(FuseMount writable, FuseMount roots) throws IOException, InterruptedException {
        List<Victim> victims = new ArrayList<>();
        int count = random.nextInt(4) == 0 ? 2 : 1;
        for (int i = 0; i < count; i++) {
            victims.add(ALL.get(random.nextInt(ALL.size())));
        }
        int down = random.nextInt(LONGEST_DOWN_MILLIS);
        for (Victim each : victims) {
            site.prepare(each);
        }
        for (Victim each : victims) {
            counts.add(each.counter());
            if (each == Victim.WRITABLE_MOUNT || each == Victim.ROOTS) {
                server(each == Victim.ROOTS ? roots : writable).forEach(ProcessHandle::destroyForcibly);
            } else {
                site.kill(each);
            }
        }
        progress.awaitEnd(down);
        for (Victim each : FuseProcesses.IN_ORDER) {
            if (victims.contains(each)) {
                site.start(each);
            }
        }
    }

    /** Returns the JVM that a mount's keeper runs now; none between two restarts. */
    private static List<ProcessHandle> server(FuseMount mount) {
        return ProcessHandle.of(mount.keeper()).stream()
                .flatMap(ProcessHandle::children)
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .toList();
    }

    private void await(List<Future<Void>> running) throws InterruptedException {
        for (Future<Void> each : running) {
            try {
                each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                wrong.add("a program failed: " + e.getCause());
            } catch (TimeoutException e) {
                counts.add("hung");
                wrong.add("a program hangs");
            }
        }
    }

    /** Ends a mount, and fails if its processes or its mount point are left. */
    private void end(FuseMount mount) throws IOException, InterruptedException {
        List<ProcessHandle> processes = new ArrayList<>(server(mount));
        ProcessHandle.of(mount.keeper()).ifPresent(processes::add);
        mount.close();
        if (KernelMountTable.typeAt(mount.directory()).isPresent()) {
            counts.add("mounts_left");
            wrong.add(mount.directory() + " is still mounted");
            KernelMountTable.unmount(mount.directory());
        }
        for (ProcessHandle each : processes) {
            if (each.isAlive()) {
                counts.add("processes_left");
                wrong.add("process %d of %s is still there".formatted(each.pid(), mount.directory()));
                each.destroyForcibly();
            }
        }
    }

    private void check(EngineRig.Client client) throws IOException {
        for (ProgramLane lane : lanes) {
            for (Map.Entry<String, SlotFile> file : lane.files().entrySet()) {
                FilePath path = WORK.child(lane.name()).child(file.getKey());
                counts.add("files_checked");
                try {
                    for (String each : file.getValue().wrong(bytes(client, path))) {
                        counts.add("wrong");
                        wrong.add("%s: %s".formatted(path, each));
                    }
                } catch (FileNotFoundException | NoSuchFileException e) {
                    counts.add("lost");
                    wrong.add("%s was acknowledged and is not there".formatted(path));
                }
            }
            for (String name : lane.deleted()) {
                FilePath path = WORK.child(lane.name()).child(name);
                if (client.mount().bdt().stat(path).isPresent()) {
                    counts.add("returned");
                    wrong.add("%s was deleted or moved away and is there again".formatted(path));
                }
            }
            lane.deleted().clear();
        }
    }

    private static byte[] bytes(EngineRig.Client client, FilePath path) throws IOException {
        FileStatus status = client.mount().bdt().stat(path).orElseThrow(() -> new FileNotFoundException(path.value()));
        try (PackingInput in = client.mount().open(path)) {
            byte[] bytes = new byte[Math.toIntExact(status.attributes().length())];
            ByteBuffer into = ByteBuffer.wrap(bytes);
            while (into.hasRemaining() && in.read(into.position(), into) > 0) {}
            return Arrays.copyOf(bytes, into.position());
        }
    }
}
