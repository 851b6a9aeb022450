// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.stream.Stream;

/**
 * A temporary directory and the servers that run in it. Closing it stops the servers, newest first, kills all other
 * processes that work in the directory, unmounts everything below the directory, and deletes the directory, whichever
 * of these steps fails. An end of this JVM by a signal, such as an interrupt from the keyboard, does so, too, but kills and
 * unmounts first: a server that is stopped after those that it needs would wait for them. It also interrupts the thread that
 * made the workspace.
 */
public final class Workspace implements AutoCloseable {
    private final Path directory;
    private final Thread hook = new Thread(this::closeAtExit, "close-workspace");
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Leftovers leftovers;
    private final Thread maker = Thread.currentThread();
    private boolean closed;

    private Workspace(Path directory) throws IOException {
        this.directory = directory;
        this.leftovers = new Leftovers(directory);
    }

    /** Makes a new directory whose name begins so. */
    public static Workspace create(String name) throws IOException {
        Workspace workspace = new Workspace(Files.createTempDirectory(name));
        Runtime.getRuntime().addShutdownHook(workspace.hook);
        return workspace;
    }

    public Path directory() {
        return directory;
    }

    Path logs() {
        return directory.resolve("logs");
    }

    /** Takes over a part: it is closed before everything that was taken over earlier. */
    public synchronized <T extends AutoCloseable> T own(T part) throws IOException {
        parts.push(part);
        if (closed) {
            close();
            throw new IOException("closed while it was being set up");
        }
        return part;
    }

    /** Processor time that its processes have used so far. */
    public synchronized Duration cpu() {
        return parts.stream()
                .map(part -> part instanceof JavaProcess process ? process.cpu() : Duration.ZERO)
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        Deque<Exception> failures = new ArrayDeque<>();
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                failures.add(e);
            }
        }
        try {
            // A look into a mount whose server is gone would last for ever: deletion comes after this, or not at all.
            leftovers.end();
            deleteTree();
        } catch (IOException e) {
            failures.add(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failures.add(e);
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is going down already, and this may be the hook itself.
        }
        if (!failures.isEmpty()) {
            Exception first = failures.pop();
            IOException failure =
                    new IOException("%s was not left cleanly: %s".formatted(directory, first.getMessage()), first);
            failures.forEach(failure::addSuppressed);
            throw failure;
        }
    }

    private void closeAtExit() {
        // The experiment would go on with its next step.
        maker.interrupt();
        try (this) {
            leftovers.end();
        } catch (IOException e) {
            System.err.println("packing: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deleteTree() throws IOException {
        if (Files.notExists(directory)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException e) {
            throw new IOException("somebody else deletes in " + directory, e);
        }
    }
}
