// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.layers.Commands;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Images that the kernel has mounted, over a directory of contents. */
public final class KernelImages implements AutoCloseable {
    private final Path home;
    private final Deque<Path> mounts = new ArrayDeque<>();

    private KernelImages(Path home) {
        this.home = home;
    }

    /** Skips a test on machines that cannot mount such images. */
    public static KernelImages orSkip(Path home) throws IOException {
        boolean isRoot = ((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid")) == 0;
        String known = Files.readString(Path.of("/proc/filesystems"));
        assumeTrue(
                isRoot
                        && known.contains("\terofs\n")
                        && known.contains("\toverlay\n")
                        && Files.exists(Path.of("/dev/loop-control")),
                "run it as root, with loop devices, after modprobe erofs overlay");
        return new KernelImages(home);
    }

    Path contents() {
        return home.resolve("contents");
    }

    Path write(ImageDirectory root, String name) throws IOException {
        Path image = home.resolve(name);
        try (OutputStream out = Files.newOutputStream(image)) {
            MetadataImage.write(root, out);
        }
        return image;
    }

    public Path mount(Path image) throws IOException, InterruptedException {
        Path at = Files.createDirectories(home.resolve("mount-of-" + image.getFileName()));
        String unused = Commands.run(home, "mount", "-t", "erofs", "-o", "ro,loop", image.toString(), at.toString());
        mounts.push(at);
        return at;
    }

    /** Mounts an overlay that takes the bytes from the contents. */
    Path overlay(Path metadata) throws IOException, InterruptedException {
        return overlay(metadata, Files.createDirectories(contents()));
    }

    /** Mounts an overlay that takes the bytes from a directory. */
    public Path overlay(Path metadata, Path bytes) throws IOException, InterruptedException {
        Path at = Files.createDirectories(home.resolve("overlay"));
        String unused = Commands.run(
                home,
                "mount",
                "-t",
                "overlay",
                "-o",
                "ro,metacopy=on,redirect_dir=on,lowerdir=%s::%s".formatted(metadata, bytes),
                "overlay",
                at.toString());
        mounts.push(at);
        return at;
    }

    /** Describes all that a tree shows: besides {@link Commands#describe} nanoseconds, names of one file, attributes of users. */
    public static Map<String, String> describe(Path root) throws IOException {
        Map<String, String> all = new TreeMap<>(Commands.describe(root));
        Map<Object, String> first = new HashMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                String path = root.relativize(file).toString();
                Map<String, Object> has = Files.readAttributes(file, "unix:*", LinkOption.NOFOLLOW_LINKS);
                boolean isDirectory = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
                // Overlayfs counts no links of directories.
                Object names = isDirectory ? 1 : has.get("nlink");
                String more = " %s, %s names, %s".formatted(has.get("lastModifiedTime"), names, attributes(file));
                String same = isDirectory ? path : first.computeIfAbsent(has.get("ino"), unused -> path);
                all.merge(path, more + (same.equals(path) ? "" : " is " + same), String::concat);
            }
        }
        return all;
    }

    private static Map<String, String> attributes(Path file) throws IOException {
        Map<String, String> all = new TreeMap<>();
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            UserDefinedFileAttributeView view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
            for (String name : view.list()) {
                ByteBuffer value = ByteBuffer.allocate(view.size(name));
                int unused = view.read(name, value);
                all.put(name, HexFormat.of().formatHex(value.array()));
            }
        }
        return all;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        while (!mounts.isEmpty()) {
            String unused = Commands.run(home, "umount", mounts.pop().toString());
        }
    }
}
