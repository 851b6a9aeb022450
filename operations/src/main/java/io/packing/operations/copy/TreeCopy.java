// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.copy;

import io.packing.operations.store.StoreFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Copies a tree. A copy that was broken off goes on when it is run again: files of the same length and time are left alone. What cannot
 * be copied is listed, and the rest goes on; only a file system that does not answer ends the copy. Used once.
 */
public final class TreeCopy {
    /** Files that wait for each thread: a listing is ahead of the copies, but not by all of a tree. */
    private static final int WAITING = 64;

    /** A listener for the progress of a copy, called by any thread. */
    public interface Progress {
        /** So many files were found so far. */
        void found(long files);

        /** Another file is done. */
        void done();
    }

    private record Directory(FileStatus source, Path target) {}

    private final FileSystem from;
    private final FileSystem to;
    private final CopySpec spec;
    private final FileCopy copy;
    private final Predicate<Throwable> fatal;
    private final Progress progress;
    private final CopyCount count = new CopyCount();
    private final ExecutorService threads;
    private final Semaphore room;
    /** Why nothing more is copied. */
    private volatile Optional<Throwable> ended = Optional.empty();

    private TreeCopy(FileSystem from, FileSystem to, CopySpec spec, Predicate<Throwable> fatal, Progress progress) {
        this.from = from;
        this.to = to;
        this.spec = spec;
        this.fatal = fatal;
        this.progress = progress;
        this.copy = new FileCopy(from, to, spec);
        this.threads = Executors.newFixedThreadPool(spec.threads());
        this.room = new Semaphore(spec.threads() * WAITING);
    }

    /**
     * Copies.
     *
     * @param fatal which failures are none of a single file: nobody answers
     * @param nanos tells how long it takes
     * @throws FileNotFoundException when there is no source
     */
    public static CopyResult run(CopySpec spec, Predicate<Throwable> fatal, Progress progress, LongSupplier nanos)
            throws IOException, InterruptedException {
        long start = nanos.getAsLong();
        try (FileSystem from = FileSystem.newInstance(spec.from(), configuration(spec, spec.sourceConfiguration()));
                FileSystem to = FileSystem.newInstance(spec.to(), configuration(spec, spec.targetConfiguration()))) {
            TreeCopy copy = new TreeCopy(from, to, spec, fatal, progress);
            try {
                copy.run();
            } finally {
                copy.threads.shutdownNow();
            }
            return copy.count.result((nanos.getAsLong() - start) / 1e9);
        }
    }

    private static Configuration configuration(CopySpec spec, Map<String, String> own) {
        Configuration configuration = new Configuration();
        // Without files of checksums beside those of the user.
        configuration.set("fs.file.impl", LocalFiles.class.getName());
        StoreFileSystem.SCHEMES.forEach(
                scheme -> configuration.set("fs.%s.impl".formatted(scheme), StoreFileSystem.class.getName()));
        spec.files().forEach(file -> configuration.addResource(new Path(file.toUri())));
        spec.configuration().forEach(configuration::set);
        own.forEach(configuration::set);
        return configuration;
    }

    private void run() throws IOException, InterruptedException {
        Path source = from.makeQualified(path(spec.from()));
        Path target = to.makeQualified(path(spec.to()));
        boolean onePlace = spec.sourceConfiguration().equals(spec.targetConfiguration());
        if (onePlace && (target + "/").startsWith(source + "/")) {
            throw new IllegalArgumentException("%s is in %s, or is it".formatted(target, source));
        }
        FileStatus top = from.getFileStatus(source);
        if (top.isDirectory()) {
            walk(new Directory(top, target));
        } else {
            Path parent = target.getParent();
            if (parent != null && !to.mkdirs(parent)) {
                throw new IOException("%s could not be made".formatted(parent));
            }
            submit(top, target);
        }
        threads.shutdown();
        while (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
            check();
        }
        check();
    }

    /** Without a slash at its end. */
    private static Path path(URI uri) {
        String path = String.valueOf(uri.getPath());
        return new Path(uri.getScheme(), uri.getAuthority(), path.isEmpty() ? "/" : path);
    }

    /** @throws IOException what ended the copy */
    private void check() throws IOException {
        Optional<Throwable> why = ended;
        if (why.isPresent()) {
            throw new IOException("the copy was broken off, run it again to go on: " + text(why.get()), why.get());
        }
    }

    private void walk(Directory top) throws IOException, InterruptedException {
        Deque<Directory> waiting = new ArrayDeque<>();
        waiting.push(top);
        while (!waiting.isEmpty()) {
            Directory directory = waiting.pop();
            try {
                if (!to.mkdirs(directory.target(), directory.source().getPermission())) {
                    throw new IOException("a file is in its place");
                }
                count.directory();
                RemoteIterator<FileStatus> all =
                        from.listStatusIterator(directory.source().getPath());
                while (all.hasNext()) {
                    entry(all.next(), directory.target(), waiting);
                }
            } catch (IOException | RuntimeException e) {
                refuse(directory.source().getPath(), e);
            }
            check();
        }
    }

    private void entry(FileStatus entry, Path parent, Deque<Directory> waiting) throws InterruptedException {
        try {
            Optional<String> special = special(entry);
            if (special.isPresent()) {
                throw new FileCopy.RefusedException(special.get());
            }
            Path target = new Path(parent, FileCopy.plain(entry.getPath().getName()));
            if (entry.isDirectory()) {
                waiting.push(new Directory(entry, target));
            } else {
                submit(entry, target);
            }
        } catch (IOException | RuntimeException e) {
            refuse(entry.getPath(), e);
        }
    }

    /** Why an entry is nothing to copy: a link could lead in a circle, and a pipe would be waited for. */
    private Optional<String> special(FileStatus entry) {
        if (entry.isSymlink()) {
            return Optional.of("a symbolic link");
        }
        if (!"file".equals(from.getUri().getScheme())) {
            return Optional.empty();
        }
        java.nio.file.Path local = java.nio.file.Path.of(entry.getPath().toUri().getPath());
        if (Files.isSymbolicLink(local)) {
            return Optional.of("a symbolic link");
        }
        return Files.isRegularFile(local, LinkOption.NOFOLLOW_LINKS)
                        || Files.isDirectory(local, LinkOption.NOFOLLOW_LINKS)
                ? Optional.empty()
                : Optional.of("neither a file nor a directory, or a name that is not in this machine's encoding");
    }

    private void submit(FileStatus file, Path target) throws InterruptedException {
        progress.found(count.found());
        room.acquire();
        threads.execute(() -> {
            try {
                one(file, target);
            } finally {
                room.release();
                progress.done();
            }
        });
    }

    private void one(FileStatus file, Path target) {
        if (ended.isPresent()) {
            return;
        }
        try {
            if (copy.copy(file, target) == FileCopy.Ended.COPIED) {
                count.copied(file.getLen());
            } else {
                count.there();
            }
        } catch (IOException | RuntimeException e) {
            refuse(file.getPath(), e);
        } catch (Error e) {
            end(e);
            throw e;
        }
    }

    private void refuse(Path path, Exception why) {
        if (fatal.test(why)) {
            end(why);
        } else {
            count.refused(path.toUri().getPath(), text(why));
        }
    }

    private synchronized void end(Throwable why) {
        if (ended.isEmpty()) {
            ended = Optional.of(why);
        }
    }

    private static String text(Throwable why) {
        String message = why.getMessage();
        return message == null || message.isBlank() ? why.toString() : message;
    }
}
