// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts this project's own servers as child processes, from the class path of this one. */
final class Servers {
    /** Nothing is measured by it: beside builds a JVM needs more than a minute until it serves. */
    static final Duration START = Duration.ofMinutes(3);

    private static final int MASTER_MEGABYTES = 256;
    private static final int WORKER_MEGABYTES = 1024;

    private Servers() {}

    static JavaProcess start(
            Workspace workspace,
            String name,
            String mainClass,
            int megabytes,
            List<String> words,
            Map<String, String> environment)
            throws IOException {
        Path inside = workspace.logs().resolve(name + "-inside.log");
        return workspace.own(JavaProcess.start(
                new JavaCommand(
                        name,
                        mainClass,
                        List.of(System.getProperty("java.class.path").split(File.pathSeparator)),
                        megabytes,
                        Map.of("packing.log", inside.toString()),
                        words,
                        environment),
                workspace.logs()));
    }

    /** Starts a command of {@code bin/packing}. */
    static JavaProcess startCommand(
            Workspace workspace, String name, int megabytes, List<String> words, Map<String, String> environment)
            throws IOException {
        return start(workspace, name, "io.packing.cli.Main", megabytes, words, environment);
    }

    /** A BDT master. */
    record BdtMaster(JavaProcess process, String address) {}

    /**
     * Starts one.
     *
     * @param store the one that mounts may name
     * @param options of the master, as KEY=VALUE
     */
    static BdtMaster startBdtMaster(Workspace workspace, String store, String... options)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "bdt-master",
                "--bind",
                "127.0.0.1:0",
                "--store",
                store,
                "--data-dir",
                workspace.directory().resolve("bdt").toString()));
        for (String option : options) {
            words.addAll(List.of("--option", option));
        }
        JavaProcess process = startCommand(workspace, "bdt-master", MASTER_MEGABYTES, words, Map.of());
        return new BdtMaster(process, process.awaitLine("BDT master at ", START));
    }

    /** Starts a worker that has the mount open, and returns its process; keys of the store are in the environment. */
    static JavaProcess startWorker(
            Workspace workspace,
            String id,
            String masterAddress,
            Map<String, String> mountOptions,
            Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "worker",
                "--master",
                masterAddress,
                "--id",
                id,
                "--buffer-dir",
                workspace.directory().resolve(id).toString(),
                "--port",
                "0"));
        mountOptions.forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        JavaProcess process = startCommand(workspace, id, WORKER_MEGABYTES, words, environment);
        String unused = process.awaitLine("worker ", START);
        return process;
    }
}
