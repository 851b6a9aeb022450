// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFileWriter.FileOptions;
import io.packing.trace.syscalls.KernelRecorder;
import io.packing.trace.syscalls.StraceRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Makes the inputs of the tasks, and records each in a directory of its own. */
public final class TaskRunner {
    private static final int PAGES = 15;
    private static final int SHEETS = 5;
    private static final int SLIDES = 20;

    private final Path directory;
    private final Path inputs;
    private final Consumer<String> narrator;
    private final boolean stacks;
    private final boolean kernel;
    private final TaskSize size;

    /**
     * @param directory where inputs, work and traces go
     * @param stacks whether to record which functions made each call
     * @param kernel whether programs in the kernel record, with page faults and processor time, and not strace
     * @param narrator told what happens
     */
    public TaskRunner(Path directory, TaskSize size, boolean stacks, boolean kernel, Consumer<String> narrator) {
        this.size = size;
        this.kernel = kernel;
        this.stacks = stacks;
        this.directory = directory.toAbsolutePath();
        this.inputs = this.directory.resolve("inputs");
        this.narrator = narrator;
    }

    /** Returns the directory of the traces. */
    public Path traces() {
        return directory.resolve("traces");
    }

    /** Makes the inputs of a suite's tasks. */
    public void prepare(TaskSuite suite) throws IOException, InterruptedException {
        System.setProperty("java.awt.headless", "true");
        narrator.accept("make the documents and %d photos".formatted(size.photos()));
        delete(inputs);
        Files.createDirectories(inputs.resolve("photos"));
        List<byte[]> pictures = new ArrayList<>();
        for (int i = 0; i < SLIDES; i++) {
            pictures.add(Photo.jpeg(i, size.width(), size.height(), size.quality()));
        }
        for (int i = 0; i < Math.max(size.photos(), SLIDES); i++) {
            byte[] photo = i < SLIDES ? pictures.get(i) : Photo.copy(pictures.get(i % SLIDES), i);
            Files.write(inputs.resolve("photos/p%04d.jpg".formatted(i)), photo);
        }
        documents(pictures);
        if (suite.tasks().stream().anyMatch(task -> task.needs().contains("soffice"))) {
            Path profile = inputs.resolve("profile");
            script("$OFFICE --terminate_after_init", inputs, profile);
            script(
                    "$OFFICE --convert-to odt text.fodt text-images.fodt; $OFFICE --convert-to ods sheets.fods;"
                            + " $OFFICE --convert-to odp slides.fodp slides-images.fodp",
                    inputs,
                    profile);
            OfficeMacros.addTo(profile);
        }
        for (Map.Entry<String, String> input : suite.inputs().entrySet()) {
            if (suite.tasks().stream().anyMatch(task -> task.setup().contains("$IN/" + input.getKey()))) {
                narrator.accept("make " + input.getKey());
                script(
                        input.getValue(),
                        Files.createDirectories(inputs.resolve(input.getKey())),
                        inputs.resolve("profile"));
            }
        }
    }

    private void documents(List<byte[]> pictures) throws IOException {
        Files.writeString(inputs.resolve("text.fodt"), FlatDocument.text(PAGES, List.of()));
        Files.writeString(inputs.resolve("text-images.fodt"), FlatDocument.text(PAGES, pictures.subList(0, PAGES)));
        Files.writeString(inputs.resolve("sheets.fods"), FlatDocument.sheets(SHEETS));
        Files.writeString(inputs.resolve("slides.fodp"), FlatDocument.slides(SLIDES, List.of()));
        Files.writeString(inputs.resolve("slides-images.fodp"), FlatDocument.slides(SLIDES, pictures));
    }

    private ProcessBuilder builder(Path work, Path profile, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectOutput(work.resolve("output").toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(size.variables());
        environment(profile).forEach(builder.environment()::put);
        return builder;
    }

    private Map<String, String> environment(Path profile) {
        return Map.of(
                "IN",
                inputs.toString(),
                "OFFICE",
                "soffice -env:UserInstallation=file://%s --headless --norestore".formatted(profile),
                "PATH",
                "/usr/bin:/bin:/usr/sbin:/sbin",
                "LC_ALL",
                "C.UTF-8");
    }

    private void script(String text, Path work, Path profile) throws IOException, InterruptedException {
        int status =
                builder(work, profile, List.of("/bin/sh", "-ec", text)).start().waitFor();
        if (status != 0) {
            throw new IOException("'%s' ended with %d; %s says why"
                    .formatted(text.strip().lines().findFirst().orElse(""), status, work.resolve("output")));
        }
    }

    /**
     * Records a task.
     *
     * @return what came of it
     */
    public StraceRecorder.Outcome record(UserTask task, String host) throws IOException, InterruptedException {
        Path work = directory.resolve("work").resolve(task.name());
        delete(work);
        Files.createDirectories(work);
        Files.createDirectories(traces());
        Path profile = work.resolve("profile");
        script(task.setup(), work, profile);
        narrator.accept("record " + task.name());
        Path trace = traces().resolve(task.name() + ".htfs");
        Files.deleteIfExists(trace);
        StraceRecorder.Request request = new StraceRecorder.Request(
                List.of("/bin/sh", "-ec", task.run()), task.name(), host, List.of(work), true, stacks);
        try (TraceFileWriter writer = TraceFileWriter.create(trace, FileOptions.ofVersion(2))) {
            StraceRecorder.Outcome outcome = kernel
                    ? KernelRecorder.record(request, command -> builder(work, profile, command), writer)
                    : StraceRecorder.record(request, command -> builder(work, profile, command), writer);
            if (outcome.status() != 0) {
                throw new IOException("%s ended with %d; %s says why"
                        .formatted(task.name(), outcome.status(), work.resolve("output")));
            }
            return outcome;
        } finally {
            delete(work.resolve("profile"));
        }
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
