// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The tasks, and the packages of Debian that have their programs.
 *
 * @param packages by program
 * @param inputs scripts that make what several tasks work on, by the folder
 */
public record TaskSuite(List<UserTask> tasks, Map<String, List<String>> packages, Map<String, String> inputs) {
    private static final String SETUP = "setup";
    private static final String PAPER = "paper";

    public TaskSuite {
        tasks = List.copyOf(tasks);
        packages = Map.copyOf(packages);
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    }

    /** The suite that comes with the program. */
    public static TaskSuite ofProgram() {
        Config config =
                ConfigFactory.parseResources(TaskSuite.class, "ibench.conf").resolve();
        Map<String, List<String>> packages = new LinkedHashMap<>();
        Config known = config.getConfig("packages");
        known.root().keySet().forEach(program -> packages.put(program, known.getStringList(program)));
        Map<String, String> inputs = new LinkedHashMap<>();
        Config scripts = config.getConfig("inputs");
        scripts.root().keySet().forEach(folder -> inputs.put(folder, scripts.getString(folder)));
        Config does = config.getConfig("does");
        List<UserTask> tasks = new ArrayList<>();
        for (Config task : config.getConfigList("tasks")) {
            tasks.add(new UserTask(
                    task.getString("name"),
                    does.getString(task.getString("name")),
                    task.hasPath(PAPER) ? task.getString(PAPER) : "",
                    task.getStringList("needs"),
                    task.hasPath(SETUP) ? task.getString(SETUP) : "",
                    task.getString("run")));
        }
        return new TaskSuite(tasks, packages, inputs);
    }

    /**
     * Some of the tasks.
     *
     * @param names of the tasks; all when empty
     * @throws IllegalArgumentException naming a task that there is not
     */
    public TaskSuite only(List<String> names) {
        if (names.isEmpty()) {
            return this;
        }
        List<String> known = tasks.stream().map(UserTask::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("no task '%s'; there are %s".formatted(name, known));
            }
        }
        return new TaskSuite(
                tasks.stream().filter(task -> names.contains(task.name())).toList(), packages, inputs);
    }

    /** Packages that this machine lacks for its tasks, in the order of their names. */
    public List<String> missingPackages() {
        TreeSet<String> missing = new TreeSet<>();
        for (UserTask task : tasks) {
            for (String program : task.needs()) {
                if (!isInstalled(program)) {
                    missing.addAll(packages.getOrDefault(program, List.of(program)));
                }
            }
        }
        return List.copyOf(missing);
    }

    private static boolean isInstalled(String program) {
        return Files.isExecutable(Path.of("/usr/bin", program));
    }

    /** Installs packages. */
    public static void install(List<String> packages) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("apt-get", "install", "-y", "--no-install-recommends"));
        command.addAll(packages);
        ProcessBuilder apt = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        apt.environment().put("DEBIAN_FRONTEND", "noninteractive");
        int status = apt.start().waitFor();
        if (status != 0) {
            throw new IOException("%s ended with %d: run 'apt-get update', and try again as root"
                    .formatted(String.join(" ", command), status));
        }
    }
}
