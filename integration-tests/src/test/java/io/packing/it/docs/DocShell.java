// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A shell in which the blocks of a page run one after the other, as a reader would type them. Confined to one thread.
 */
final class DocShell implements AutoCloseable {
    private static final String END = "--- end of block";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path home;
    private final Process bash;
    private final Writer keyboard;
    private final List<String> screen = new ArrayList<>();
    private int blocks;
    private int seen;
    private boolean closed;

    private DocShell(Path home, Process bash) {
        this.home = home;
        this.bash = bash;
        this.keyboard = bash.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts a shell.
     *
     * @param home the folder that it starts in; processes whose ids are in {@code run/*.pid} end with it
     */
    static DocShell start(Path home, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "--noprofile", "--norc")
                .directory(home.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        DocShell shell = new DocShell(home, builder.start());
        Thread reader = new Thread(shell::read, "doc-shell");
        reader.setDaemon(true);
        reader.start();
        return shell;
    }

    private void read() {
        try (BufferedReader out = bash.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                show(line);
            }
        } catch (IOException e) {
            show(e.toString());
        } finally {
            synchronized (screen) {
                closed = true;
                screen.notifyAll();
            }
        }
    }

    private void show(String line) {
        synchronized (screen) {
            screen.add(line);
            screen.notifyAll();
        }
    }

    /**
     * Runs commands, and returns the exit code of the last one; without {@code mayFail} the first failure ends the
     * shell.
     */
    int run(String commands, boolean mayFail) throws IOException, InterruptedException {
        synchronized (screen) {
            seen = screen.size();
        }
        String number = "%s %d:".formatted(END, ++blocks);
        Path file = Files.writeString(home.resolve("block-%d.sh".formatted(blocks)), commands);
        // Without an input of its own a command would read the next blocks.
        keyboard.write("set %se; . %s < /dev/null; code=$?; set +e; echo; echo '%s' $code\n"
                .formatted(mayFail ? "+" : "-", file, number));
        keyboard.flush();
        Optional<String> end = await(line -> line.startsWith(number));
        return Integer.parseInt(end.orElseThrow(() -> new IOException("the shell ended:\n" + output()))
                .substring(number.length())
                .strip());
    }

    /** Waits until a line has this text. */
    void awaitText(String text) throws IOException, InterruptedException {
        if (await(line -> line.contains(text)).isEmpty()) {
            throw new IOException("nothing printed '%s':\n%s".formatted(text, output()));
        }
    }

    private Optional<String> await(Predicate<String> wanted) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        synchronized (screen) {
            while (true) {
                Optional<String> found = screen.subList(seen, screen.size()).stream()
                        .filter(wanted)
                        .findFirst();
                long left = (end - System.nanoTime()) / 1_000_000;
                if (found.isPresent() || closed || left <= 0) {
                    return found;
                }
                screen.wait(left);
            }
        }
    }

    /** Returns the output since the begin of the last block. */
    String output() {
        synchronized (screen) {
            return screen.subList(seen, screen.size()).stream()
                    .filter(line -> !line.startsWith(END))
                    .reduce("", (all, line) -> all + line + "\n");
        }
    }

    @Override
    public void close() throws IOException {
        List<ProcessHandle> all = new ArrayList<>(bash.descendants().toList());
        all.add(bash.toHandle());
        Path pids = home.resolve("run");
        if (Files.isDirectory(pids)) {
            try (Stream<Path> files = Files.list(pids)) {
                files.filter(file -> file.toString().endsWith(".pid"))
                        .flatMap(DocShell::process)
                        .forEach(all::add);
            }
        }
        all.forEach(ProcessHandle::destroyForcibly);
        // A process without a waiting parent may stay a zombie.
        all.forEach(each ->
                each.onExit().completeOnTimeout(each, 10, TimeUnit.SECONDS).join());
    }

    private static Stream<ProcessHandle> process(Path file) {
        try {
            return ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
