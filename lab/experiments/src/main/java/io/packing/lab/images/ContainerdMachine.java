// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.lab.cri.CriClient;
import io.packing.layers.containerd.MountedRoots;
import io.packing.layers.root.RootsMount;
import io.packing.process.Await;
import io.packing.process.ContainerdProcess;
import io.packing.process.JavaProcess;
import io.packing.rig.EngineRig;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A machine that has never seen an image: the distribution's containerd with a root of its own, and with our snapshotter or without it.
 * Confined to one thread.
 */
final class ContainerdMachine implements AutoCloseable {
    /** containerd's own snapshotter. */
    static final String OVERLAY = "overlayfs";

    private static final String OURS = "packing";
    private static final Duration START = Duration.ofMinutes(3);

    private final Workspace workspace;
    private final String snapshotter;
    private final ContainerdProcess containerd;
    private final CriClient cri;
    private int containers;

    private ContainerdMachine(Workspace workspace, String snapshotter, ContainerdProcess containerd)
            throws IOException {
        this.workspace = workspace;
        this.snapshotter = snapshotter;
        this.containerd = containerd;
        this.cri = CriClient.of(containerd.socket());
    }

    /** Says what is missing on this machine, if anything is. */
    static void check() {
        for (String program : List.of("containerd", "ctr", "runc")) {
            HostPrograms.check(program, "apt-get install containerd runc");
        }
    }

    /** Starts one with our snapshotter. When this returns it has rehearsed, as that of a machine that has been there for a while. */
    static ContainerdMachine withSnapshotter(EngineRig rig) throws IOException, InterruptedException {
        Workspace workspace = Workspace.create("packing-ctd");
        try {
            Path home = workspace.directory();
            JavaProcess plugin = rig.startSnapshotter(workspace, "snapshotter", plugin(home), snapshots(home));
            Path trees = snapshots(home).resolve("roots.state").resolve(RootsMount.REHEARSED);
            Path calls = snapshots(home).resolve(MountedRoots.REHEARSED);
            plugin.await("has not rehearsed", START, () -> Files.exists(trees) && Files.exists(calls));
            return start(workspace, OURS);
        } catch (IOException | InterruptedException | RuntimeException e) {
            workspace.close();
            throw e;
        }
    }

    /** Starts one with containerd's own overlayfs. */
    static ContainerdMachine withOverlay() throws IOException, InterruptedException {
        Workspace workspace = Workspace.create("packing-ctd");
        try {
            return start(workspace, OVERLAY);
        } catch (IOException | InterruptedException | RuntimeException e) {
            workspace.close();
            throw e;
        }
    }

    private static ContainerdMachine start(Workspace workspace, String snapshotter)
            throws IOException, InterruptedException {
        Path home = workspace.directory();
        ContainerdProcess containerd = workspace.own(ContainerdProcess.start(home, plugin(home), snapshotter));
        ContainerdMachine machine = new ContainerdMachine(workspace, snapshotter, containerd);
        Await.until("containerd finds its snapshotter", START, machine::hasSnapshotter);
        return machine;
    }

    private static Path plugin(Path home) {
        return home.resolve("plugin/p.sock");
    }

    private static Path snapshots(Path home) {
        return home.resolve("snapshots");
    }

    private Path home() {
        return workspace.directory();
    }

    private boolean hasSnapshotter() throws IOException, InterruptedException {
        String name = "trial-" + ++containers;
        if (run("snapshots", "--snapshotter", snapshotter, "view", name) != 0) {
            return false;
        }
        String unused = ctr("snapshots", "--snapshotter", snapshotter, "rm", name);
        return true;
    }

    private Path said() {
        return home().resolve("ctr.out");
    }

    private int run(String... words) throws IOException, InterruptedException {
        return containerd
                .ctr(words)
                .redirectErrorStream(true)
                .redirectOutput(said().toFile())
                .start()
                .waitFor();
    }

    private String ctr(String... words) throws IOException, InterruptedException {
        int exit = run(words);
        String said = Files.readString(said(), StandardCharsets.ISO_8859_1);
        if (exit != 0) {
            throw new IOException("ctr %s ended with %d: %s".formatted(String.join(" ", words), exit, said.strip()));
        }
        return said;
    }

    /** Returns the line by which containerd says its version. */
    static String version() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("containerd", "--version")
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException("containerd --version ended with %d: %s".formatted(exit, said));
        }
        return said;
    }

    /** Pulls an image as kubelet has it pulled: containerd unpacks it while it comes. */
    void pullByCri(String image) throws IOException {
        cri.pull(image);
    }

    /** Pulls an image by containerd's own client, which fetches all layers before it unpacks any. */
    void pullByCtr(String image) throws IOException, InterruptedException {
        String unused = ctr("images", "pull", "--plain-http", "--snapshotter", snapshotter, image);
    }

    /** Runs a program in a new container to its end, and removes the container. */
    ContainerRun run(String image, List<String> program) throws IOException, InterruptedException {
        // runc has one list of containers for all containerds of a machine.
        String name = "%s-%d".formatted(home().getFileName(), ++containers);
        List<String> words = new ArrayList<>(List.of("run", "--rm", "--snapshotter", snapshotter, image, name));
        words.addAll(program);
        int exit = run(words.toArray(String[]::new));
        return new ContainerRun(exit, Files.readString(said(), StandardCharsets.ISO_8859_1));
    }

    /** Returns the processor time of the snapshotter, of the server of the trees and of its keeper so far. */
    Duration serverTime() {
        String at = snapshots(home()).toString();
        return ProcessHandle.allProcesses()
                .filter(each -> commandLine(each.pid()).contains(at))
                .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/%d/cmdline".formatted(pid)), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended.
            return "";
        }
    }

    @Override
    public void close() throws IOException {
        cri.close();
        workspace.close();
    }
}
