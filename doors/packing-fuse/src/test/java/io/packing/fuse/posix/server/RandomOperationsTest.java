// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.seed.Seed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Equal random calls on a mount and on a directory of the local disk give equal answers, names, bytes and attributes.
 */
@Timeout(600)
@Tag("hunt")
class RandomOperationsTest {
    private static final int OPERATIONS = 1_500;
    private static final int COMPARED_EACH = 300;
    /** The end of the times that calls set, before any clock's present. */
    private static final int SET_BEFORE = 1_000_000_000;

    private static final String[] NAMES = {"a", "b", "c", "d", "ü"};

    @TempDir
    private Path home;

    private final Random random = Seed.random();

    @Test
    void aMountIsAsALocalDirectory() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        Path model = Files.createDirectory(home.resolve("model"));
        try (MountRig rig = MountRig.start(home)) {
            FuseMount mount = rig.mount("m", false);
            try {
                for (int i = 1; i <= OPERATIONS; i++) {
                    both(i, model, mount.directory());
                    if (i % COMPARED_EACH == 0) {
                        assertThat(state(mount.directory())).as("after %d", i).isEqualTo(state(model));
                        mount.close();
                        mount = rig.mount("m", false);
                        assertThat(state(mount.directory()))
                                .as("mounted again after %d", i)
                                .isEqualTo(state(model));
                    }
                }
            } finally {
                mount.close();
            }
        }
    }

    /** A call below a root; its exception is compared by kind. */
    private interface Call {
        void run(Path root) throws IOException;
    }

    private void both(int number, Path model, Path mounted) {
        Call call = call();
        String expected = outcome(call, model);
        assertThat(outcome(call, mounted)).as("call %d", number).isEqualTo(expected);
    }

    private static String outcome(Call call, Path root) {
        try {
            call.run(root);
            return "done";
        } catch (IOException e) {
            return e.getClass().getSimpleName();
        }
    }

    private String path() {
        StringBuilder path = new StringBuilder(NAMES[random.nextInt(NAMES.length)]);
        for (int depth = random.nextInt(3); depth > 0; depth--) {
            path.append('/').append(NAMES[random.nextInt(NAMES.length)]);
        }
        return path.toString();
    }

    private Call call() {
        String path = path();
        String other = path();
        byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(300_000) : random.nextInt(5_000)];
        random.nextBytes(bytes);
        long at = random.nextInt(400_000);
        long seconds = random.nextInt(SET_BEFORE);
        int mode = 0700 | random.nextInt(0100);
        int nanos = random.nextBoolean() ? 7_000_000 : random.nextInt(1_000_000_000);
        String attribute = random.nextBoolean() ? "x" : "ü";
        byte[] value = Arrays.copyOf(bytes, Math.min(bytes.length, random.nextInt(60)));
        return switch (random.nextInt(18)) {
            case 13, 14 -> root -> attributes(root.resolve(path)).write(attribute, ByteBuffer.wrap(value));
            case 15 -> root -> attributes(root.resolve(path)).delete(attribute);
            case 16, 17 -> root -> link(root.resolve(path), root.resolve(other));
            case 0, 1 -> root -> Files.createDirectory(root.resolve(path));
            case 2, 3 -> root -> Files.write(root.resolve(path), bytes);
            case 4 ->
                root -> Files.write(root.resolve(path), bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            case 5 -> root -> Files.write(root.resolve(path), bytes, StandardOpenOption.APPEND);
            case 6 -> root -> overwrite(root.resolve(path), at, bytes);
            case 7 -> root -> truncate(root.resolve(path), at);
            case 8 -> root -> Files.delete(root.resolve(path));
            case 9 -> root -> Files.move(root.resolve(path), root.resolve(other), StandardCopyOption.ATOMIC_MOVE);
            case 10 ->
                root -> Files.setLastModifiedTime(
                        root.resolve(path), FileTime.from(Instant.ofEpochSecond(seconds, nanos)));
            case 11 -> root -> Files.setAttribute(root.resolve(path), "unix:mode", mode);
            default -> root -> unlinkWhileOpen(root.resolve(path), bytes);
        };
    }

    private static void link(Path file, Path name) throws IOException {
        // The two differ in the error for a directory, and in the choice between two reasons.
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString());
        }
        Path unused = Files.createLink(name, file);
    }

    private static UserDefinedFileAttributeView attributes(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        return Files.getFileAttributeView(path, UserDefinedFileAttributeView.class);
    }

    private static void overwrite(Path file, long at, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            write(channel, at, bytes);
            channel.force(bytes.length % 2 == 0);
            write(channel, at / 2, Arrays.copyOf(bytes, bytes.length / 3));
            ByteBuffer read = ByteBuffer.allocate(1_000);
            int unused = channel.read(read, at / 3);
        }
    }

    private static void write(FileChannel channel, long at, byte[] bytes) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        while (from.hasRemaining()) {
            int unused = channel.write(from, at + from.position());
        }
    }

    private static void truncate(Path file, long length) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("no file");
        }
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(length);
        }
    }

    private static void unlinkWhileOpen(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(file);
            write(channel, 10, bytes);
            ByteBuffer read = ByteBuffer.allocate(bytes.length);
            while (read.hasRemaining() && channel.read(read, 10 + read.position()) > 0) {}
            assertThat(read.array()).isEqualTo(bytes);
        }
    }

    private static Map<String, String> state(Path root) throws IOException {
        Map<String, String> state = new TreeMap<>();
        Map<Object, TreeSet<String>> names = new HashMap<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes unused) throws IOException {
                String name = root.relativize(file).toString();
                state.put(name, describe(file));
                names.computeIfAbsent(Files.getAttribute(file, "unix:ino"), first -> new TreeSet<>())
                        .add(name);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes unused) throws IOException {
                if (!directory.equals(root)) {
                    state.put(root.relativize(directory).toString(), describe(directory));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        names.values().forEach(all -> state.put(all.toString(), "one file"));
        return state;
    }

    private static String extended(Path path) throws IOException {
        UserDefinedFileAttributeView view = attributes(path);
        StringBuilder shown = new StringBuilder();
        for (String name : new TreeSet<>(view.list())) {
            ByteBuffer value = ByteBuffer.allocate(view.size(name));
            int unused = view.read(name, value);
            shown.append(' ').append(name).append('=').append(HexFormat.of().formatHex(value.array()));
        }
        return shown.toString();
    }

    private static String describe(Path path) throws IOException {
        PosixFileAttributes has = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String shown = PosixFilePermissions.toString(has.permissions()) + " " + has.owner() + " " + has.group()
                + extended(path);
        if (has.isDirectory()) {
            return shown;
        }
        // Set times are compared; others differ by the time between the two calls.
        Instant modified = has.lastModifiedTime().toInstant();
        return "%s %s %d %s %d"
                .formatted(
                        shown,
                        Files.getAttribute(path, "unix:nlink"),
                        has.size(),
                        modified.getEpochSecond() < SET_BEFORE ? modified : "now",
                        Arrays.hashCode(Files.readAllBytes(path)));
    }
}
