// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import io.packing.bdt.ExtendedValue;
import io.packing.layers.Commands;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A tree at random, on a disk and as the nodes of an image. */
final class RandomTree {
    private static final String LETTERS = "!-.0Aaz_~ é漢";
    private static final int INLINE = 512;
    private static final Path ANYWHERE = Path.of("/");

    private final Random random;
    private final Path contents;
    private final List<ImageFile> files = new ArrayList<>();
    private final List<Path> paths = new ArrayList<>();

    RandomTree(Random random, Path contents) {
        this.random = random;
        this.contents = contents;
    }

    /** Makes a directory with so many entries in each level. */
    ImageDirectory make(Path at, int entries, int levels) throws IOException, InterruptedException {
        Files.createDirectories(at);
        Map<String, ImageNode> children = new TreeMap<>();
        for (int i = 0; i < entries; i++) {
            String name = name();
            if (!children.containsKey(name)) {
                children.put(name, node(at.resolve(name), entries, levels));
            }
        }
        ImageDirectory directory = new ImageDirectory(attributes(at, true));
        children.forEach(directory::add);
        return directory;
    }

    private String name() {
        int length = random.nextInt(8) == 0 ? 60 : 1 + random.nextInt(12);
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < length; i++) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        String made = name.toString();
        return made.equals(".") || made.equals("..") ? "dots" : made;
    }

    private ImageNode node(Path at, int entries, int levels) throws IOException, InterruptedException {
        int kind = random.nextInt(20);
        if (levels > 0 && kind < 4) {
            return make(at, random.nextInt(entries + 1), levels - 1);
        }
        if (kind == 4) {
            byte[] target = bytes(1 + random.nextInt(300));
            for (int i = 0; i < target.length; i++) {
                target[i] = (byte) ('a' + (target[i] & 15));
            }
            Files.createSymbolicLink(at, Path.of(new String(target, StandardCharsets.US_ASCII)));
            return ImageFile.ofLink(attributes(at, false), target);
        }
        if (kind == 5 && !files.isEmpty()) {
            int which = random.nextInt(files.size());
            Files.createLink(at, paths.get(which));
            return files.get(which);
        }
        if (kind == 6) {
            int minor = random.nextInt(1 << 20);
            String unused = Commands.run(ANYWHERE, "mknod", at.toString(), "b", "7", String.valueOf(minor));
            return ImageFile.ofBlockDevice(attributes(at, false), 7, minor);
        }
        if (kind == 7) {
            String unused = Commands.run(ANYWHERE, "mkfifo", at.toString());
            return ImageFile.ofFifo(attributes(at, false));
        }
        return file(at);
    }

    private ImageFile file(Path at) throws IOException, InterruptedException {
        byte[] bytes = bytes(random.nextInt(3) == 0 ? random.nextInt(20_000) : random.nextInt(2 * INLINE));
        Files.write(at, bytes);
        ImageAttributes attributes = attributes(at, true);
        ImageFile file;
        if (bytes.length < INLINE) {
            file = ImageFile.ofBytes(attributes, bytes);
        } else {
            String hex = Digest.Algorithm.SHA256.of(bytes).hex();
            Path content = Path.of(contents + ImageFile.contentPath(hex));
            Files.createDirectories(content.getParent());
            Files.write(content, bytes);
            file = ImageFile.ofContent(attributes, hex, bytes.length);
        }
        files.add(file);
        paths.add(at);
        return file;
    }

    /** Gives a file attributes at random. The time comes last: the other changes would change that of a directory. */
    private ImageAttributes attributes(Path at, boolean hasExtended) throws IOException, InterruptedException {
        Map<String, ExtendedValue> extended = new TreeMap<>();
        if (hasExtended && random.nextInt(3) == 0) {
            UserDefinedFileAttributeView view = Files.getFileAttributeView(at, UserDefinedFileAttributeView.class);
            for (int i = random.nextInt(3); i >= 0; i--) {
                byte[] value = bytes(random.nextInt(900));
                int unused = view.write("a" + i, ByteBuffer.wrap(value));
                extended.put("user.a" + i, new ExtendedValue(value));
            }
        }
        int owner = random.nextInt(70_000);
        Files.setAttribute(at, "unix:uid", owner, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(at, "unix:gid", owner + 1, LinkOption.NOFOLLOW_LINKS);
        int mode = 0777;
        if (!Files.isSymbolicLink(at)) {
            mode = random.nextInt(010000);
            Files.setAttribute(at, "unix:mode", mode);
        }
        // Java opens a file to set its times, and waits for a writer of a fifo.
        Instant modified = Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE), random.nextInt(1_000_000_000));
        String time = "@%d.%09d".formatted(modified.getEpochSecond(), modified.getNano());
        String unused = Commands.run(ANYWHERE, "touch", "-h", "-m", "-d", time, at.toString());
        return new ImageAttributes(mode, owner, owner + 1L, modified, extended);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
